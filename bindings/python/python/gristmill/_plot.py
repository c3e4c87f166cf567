"""Figures, where matplotlib is installed."""

import numpy as np

from . import _functions


def _pyplot():
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise ImportError("plots need matplotlib, which is not installed: pip install matplotlib") from None
    return pyplot


def plot_fit(fit, axes=None):
    """Residuals, normal quantiles, scale and leverage of a fit, as R's plot.glm."""
    pyplot = _pyplot()
    if axes is None:
        _, axes = pyplot.subplots(2, 2, figsize=(9, 7), layout="constrained")
    axes = np.asarray(axes).ravel()
    if len(axes) != 4:
        raise ValueError(f"`axes` has {len(axes)} parts, but there are four plots")
    rows = fit.influence()
    residuals = rows["standardised_deviance"]
    axes[0].plot(rows["link"], rows["deviance"], "o", fillstyle="none")
    axes[0].axhline(0, color="grey", linestyle=":")
    axes[0].set(xlabel="Predicted values", ylabel="Residuals", title="Residuals vs Fitted")
    there = np.sort(residuals[np.isfinite(residuals)])
    expected = _functions.qnorm((np.arange(len(there)) + 0.5) / max(len(there), 1))
    axes[1].plot(expected, there, "o", fillstyle="none")
    axes[1].axline((0, 0), slope=1, color="grey", linestyle=":")
    axes[1].set(xlabel="Theoretical quantiles", ylabel="Std. deviance resid.", title="Q-Q Residuals")
    axes[2].plot(rows["link"], np.sqrt(np.abs(residuals)), "o", fillstyle="none")
    axes[2].set(xlabel="Predicted values", ylabel="sqrt |Std. deviance resid.|", title="Scale-Location")
    axes[3].plot(rows["leverage"], rows["standardised_pearson"], "o", fillstyle="none")
    axes[3].axhline(0, color="grey", linestyle=":")
    axes[3].set(xlabel="Leverage", ylabel="Std. Pearson resid.", title="Residuals vs Leverage")
    axes[0].figure.suptitle(fit.formula)
    return axes[0].figure


def plot_library(library, ax=None):
    """Which file of a library needs which: files in columns, each right of all that it needs. `library` is a Library or a
    path."""
    from ._library import Library
    from ._library import library as open_library

    pyplot = _pyplot()
    if not isinstance(library, Library):
        library = open_library(library)
    needs = library.depends()
    level = {}
    for stem in library.order():
        level[stem] = 1 + max((level[other] for other in needs[stem]), default=-1)
    if ax is None:
        _, ax = pyplot.subplots(figsize=(10, 7), layout="constrained")
    place, used = {}, {}
    for stem in library.order():
        x = level[stem]
        place[stem] = (x, -used.get(x, 0))
        used[x] = used.get(x, 0) + 1
    for stem, others in needs.items():
        for other in others:
            (x0, y0), (x1, y1) = place[other], place[stem]
            ax.plot([x0, x1], [y0, y1], color="lightgrey", linewidth=0.7, zorder=1)
    for stem, (x, y) in place.items():
        ax.text(x, y, stem, fontsize=7, ha="center", va="center", zorder=2, bbox={"facecolor": "white", "edgecolor": "none"})
    ax.set_axis_off()
    ax.set_title(f"{library.name}: {len(library)} files")
    ax.autoscale_view()
    return ax.figure
