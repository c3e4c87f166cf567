"""What the type stubs say is what is there."""

import ast
import importlib
import inspect
from pathlib import Path

import pytest

import gristmill as gm

PACKAGE = Path(gm.__file__).parent
STUBS = sorted(path.stem for path in PACKAGE.glob("*.pyi"))


def parameters(function):
    its = function.args
    names = [argument.arg for argument in [*its.posonlyargs, *its.args, *its.kwonlyargs]]
    return names + [extra.arg for extra in (its.vararg, its.kwarg) if extra]


def check(where, node, there):
    if isinstance(node, ast.FunctionDef):
        real = inspect.signature(inspect.unwrap(there) if callable(there) else there)
        names = [name for name in real.parameters]
        assert sorted(parameters(node)) == sorted(names), where


@pytest.mark.parametrize("stem", STUBS)
def test_stubs_have_the_names_and_parameters_of_the_code(stem):
    module = gm if stem == "__init__" else importlib.import_module(f"gristmill.{stem}")
    tree = ast.parse((PACKAGE / f"{stem}.pyi").read_text())
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            if node.name == "__getattr__":
                continue
            there = getattr(module, node.name)
            if module is gm:
                continue
            check(f"{stem}.{node.name}", node, there)
            for member in node.body if isinstance(node, ast.ClassDef) else []:
                if isinstance(member, ast.FunctionDef):
                    found = inspect.getattr_static(there, member.name)
                    is_property = any(isinstance(d, ast.Name) and d.id == "property" for d in member.decorator_list)
                    assert isinstance(found, property) == is_property, f"{stem}.{node.name}.{member.name}"
                    if not is_property and member.name != "__init__" or member.name == "__init__" and "inner" not in parameters(member):
                        check(f"{stem}.{node.name}.{member.name}", member, getattr(found, "__func__", found))
        elif isinstance(node, ast.AnnAssign) and not node.target.id.startswith("_"):
            assert hasattr(module, node.target.id), f"{stem}.{node.target.id}"
        elif isinstance(node, ast.ImportFrom) and stem == "__init__":
            for name in node.names:
                if name.name != "*" and node.level:
                    assert hasattr(gm, name.asname or name.name) or name.name in ("DeviceList", "Findings"), name.name


def test_every_public_name_has_a_type():
    stub = (PACKAGE / "__init__.pyi").read_text()
    generated = (PACKAGE / "_functions.pyi").read_text()
    for name in [*gm.__all__, "eval"]:
        assert f" {name}\n" in stub or f"def {name}(" in stub or f"{name}: " in stub or f"def {name}(" in generated, name
