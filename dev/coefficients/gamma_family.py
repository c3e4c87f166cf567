#!/usr/bin/env python3
"""Prints the coefficients of the normal and gamma families: needs `pip install mpmath`.

Every polynomial is the interpolant of its defining function at Chebyshev nodes, computed with 80 digits and rounded to
doubles; the relative error of the rounded polynomial goes to stderr. NAME_H and NAME_L are the two parts of a pair.
"""
from mpmath import mp, mpf, cos, pi, exp, log, loggamma, gamma, sqrt, erfc, matrix, lu_solve, quad
import mpmath as m, sys
mp.dps = 80
out=[]
def emit(name, cs, doc):
    out.append(f"/// {doc}")
    out.append(f"pub const {name}: [f64; {len(cs)}] = [" + ", ".join(repr(float(c)) for c in cs) + "];")
def dd(name, v, doc):
    h=float(v); l=float(v-mpf(h))
    out.append(f"/// {doc}"); out.append(f"pub const {name}_H: f64 = {h!r};"); out.append(f"pub const {name}_L: f64 = {l!r};")
def cheb(f,a,b,n,c=mpf(0),s=mpf(1)):
    """monomial coefs (variable (x-c)/s) of the degree-n interpolant of f at Chebyshev nodes of [a,b]"""
    a=mpf(a);b=mpf(b);N=n+1
    xs=[(a+b)/2+(b-a)/2*cos(pi*(2*k+1)/(2*N)) for k in range(N)]
    fs=[f(x) for x in xs]
    cc=[mpf(2)/N*sum(fs[k]*cos(j*pi*(2*k+1)/(2*N)) for k in range(N)) for j in range(N)]; cc[0]/=2
    # to monomials in u in[-1,1]
    T0=[mpf(1)];T1=[mpf(0),mpf(1)];mono=[mpf(0)]*N
    for j in range(N):
        T=T0 if j==0 else T1
        if j>=2:
            T=[mpf(0)]+[2*t for t in T1]
            for i,t in enumerate(T0): T[i]-=t
            T0,T1=T1,T
        for i,t in enumerate(T): mono[i]+=cc[j]*t
    # u = (x-mid)/h ; x = c + s*v -> u = al + be*v
    mid=(a+b)/2;h=(b-a)/2;al=(c-mid)/h;be=s/h
    res=[mpf(0)]
    for k in reversed(range(N)):
        new=[mpf(0)]*(len(res)+1)
        for i,t in enumerate(res): new[i]+=t*al; new[i+1]+=t*be
        new[0]+=mono[k]; res=new
    res=res[:N]
    # error check with rounded coefs
    r=[mpf(float(t)) for t in res]; err=0
    for k in range(400):
        x=a+(b-a)*(k+mpf(1)/3)/400; v=(x-c)/s
        y=f(x); p=mpf(0)
        for t in reversed(r): p=p*v+t
        err=max(err,abs(p-y)/abs(y)) if y!=0 else err
    print(f"  deg {n}: max rel err {m.nstr(err,3)} sum|c|/|c0| {m.nstr(sum(abs(t)*max(abs((a-c)/s),abs((b-c)/s))**i for i,t in enumerate(res))/abs(res[0]),4)}",file=sys.stderr)
    return res
def say(s): print(s,file=sys.stderr)
def poly(name, cs, doc, vis='pub(crate) '):
    cs=[float(c) for c in cs]
    hi=cs[::-1]; r=len(hi)%4
    blocks=[hi[:r]] if r else []
    blocks+=[hi[i:i+4] for i in range(r,len(hi),4)]
    out.append("polynomial! {\n    /// "+doc+"\n    "+vis+"fn "+name+" =\n        "+"\n        ".join("["+", ".join(repr(c) for c in b)+"]" for b in blocks)+";\n}")
def say(s): print(s,file=sys.stderr)
g=m.euler
dd("LN2",log(mpf(2)),"ln 2"); dd("LN_SQRT_2PI",log(2*pi)/2,"log(2 pi)/2"); dd("EULER",g,"Euler's gamma"); dd("ONE_MINUS_EULER",1-g,"1-gamma")
dd("PI",pi,"pi"); dd("INV_PI",1/pi,"1/pi"); dd("INV_SQRT_2PI",1/sqrt(2*pi),"1/sqrt(2 pi)"); dd("SQRT_2PI",sqrt(2*pi),"sqrt(2 pi)"); dd("LN_PI",log(pi),"log pi"); dd("HALF_PI",pi/2,"pi/2");dd("QUARTER_PI",pi/4,"pi/4")
dd("THIRD",mpf(1)/3,"1/3"); dd("SIXTH",mpf(1)/6,"1/6"); dd("FIFTH",mpf(1)/5,"1/5"); dd("SEVENTH",mpf(1)/7,"1/7")
def st(x):
    return loggamma(x+1)-(x+mpf(1)/2)*log(x)+x-log(2*pi)/2
def stF(t):
    x=1+mpf('1.5')*(1+t)/(1-t)
    return x*st(x) if x<1e6 else mpf(1)/12-1/(360*x*x)
cs=cheb(stF,-1,1-mpf('1e-12'),19); dd("STIRLING",cs[0],""); poly("stirling_map",cs[1:],"`x stirlerr(x)` for `x >= 1` in `t = (x - 5/2)/(x + 1/2)`.")
def l1(t):
    if abs(t)<mpf('1e-6'): return m.zeta(2)/2-m.zeta(3)/3*t+m.zeta(4)/4*t*t-m.zeta(5)/5*t**3+m.zeta(6)/6*t**4
    return (loggamma(1+t)+g*t)/t**2
cs=cheb(l1,-0.5,0.5,27); dd("LG1",cs[0],"first coefficient of (lgamma(1+t)+gamma t)/t^2 on |t|<=1/2"); poly("lgamma_about_1",cs[1:],"the other coefficients")
def l2(t):
    if abs(t)<mpf('1e-6'): return (m.zeta(2)-1)/2-(m.zeta(3)-1)/3*t+(m.zeta(4)-1)/4*t*t-(m.zeta(5)-1)/5*t**3+(m.zeta(6)-1)/6*t**4
    return (loggamma(2+t)-(1-g)*t)/t**2
cs=cheb(l2,-0.5,1,21); dd("LG2",cs[0],"first coefficient of (lgamma(2+t)-(1-gamma)t)/t^2 on [-1/2,1]"); poly("lgamma_about_2",cs[1:],"the other coefficients")
def lgabs(x): return log(abs(gamma(x)))
for i,(z0,lo,hi_,hw,n) in enumerate([('-2.457','-0.146','0.1',0.125,21),('-2.7477','-0.09','0.148',0.125,27),('-3.1436','-0.03125','0.03125',0.03125,16)]):
    z=m.findroot(lgabs,mpf(z0),tol=mpf(10)**-120)
    dd(f"ZERO_{i}",z,f"zero of log|Gamma| near {z0}")
    cs=cheb(lambda d: lgabs(z+d)/d if abs(d)>mpf('1e-25') else m.psi(0,z),mpf(lo),mpf(hi_),n,mpf(0),mpf(hw))
    poly(f"about_zero_{i}",cs,f"log|Gamma(z0+d)|/d in d/{hw}, |d|<={hw}")
zs=[-g]+[(-1)**k*m.zeta(k)/k for k in range(2,36)]
out.append("zeta hi "+repr([float(z) for z in zs])); out.append("zeta lo "+repr([float(z-mpf(float(z))) for z in zs]))
def rg(t):
    if abs(t)<mpf('1e-8'):
        return g+ (g*g/2-pi**2/12)*t
    return (1/gamma(1+t)-1)/t
poly("reciprocal_gamma_tail",cheb(rg,-0.5,0.5,16),"(1/gamma(1+t)-1)/t on |t|<=1/2")
def mills(z):
    return exp(z*z/2)*erfc(z/sqrt(mpf(2)))/2 if z<1000 else (1/z-1/z**3+3/z**5-15/z**7+105/z**9-945/z**11)/sqrt(2*pi)
C=mpf(4)
def G(t):
    z=C*(1+t)/(1-t); return mills(z)*(z+C)
cs=cheb(G,-1,1,25)
for i in range(2): dd(f"MILLS_{i}",cs[i],f"coefficient {i} of (z+4) exp(z^2/2) Q(z) in t=(z-4)/(z+4)")
poly("mills_tail",cs[2:],"coefficients 2..25 of the same polynomial")
dcs=[k*c for k,c in enumerate(cs)][1:]
def dG(t): return m.polyval(dcs[::-1],t)
poly("mills_slope",cheb(dG,-1,1,6),"derivative of that polynomial, 1e-3 accurate")
N=64
al=[mpf(0),mpf(1)]
for n in range(2,N+2):
    s=al[n-1]
    s-=sum(al[i]*(n-i+1)*al[n-i+1] for i in range(2,n))
    al.append(s/(n+1))
mu=al[1:]
f=[mpf(1)]
for n in range(1,N+1):
    f.append(-sum(mu[k]*f[n-k] for k in range(1,n+1)))
out.append("temme "+repr([float(t) for t in f[:34]]))
def sp(u):
    x=sqrt(u); return (m.sin(pi*x)/x-pi)/u if u>mpf('1e-20') else -pi**3/6
poly("sin_pi_tail",cheb(sp,mpf('1e-19'),mpf('0.0626'),7),"(sin(pi x)/x-pi)/x^2 in x^2, |x|<=1/4")
def cp(u):
    x=sqrt(u); return (m.cos(pi*x)-1)/u if u>mpf('1e-20') else -pi**2/2
poly("cos_pi_tail",cheb(cp,mpf('1e-19'),mpf('0.0626'),7),"(cos(pi x)-1)/x^2 in x^2, |x|<=1/4")
say("atan")
def at(u):
    x=sqrt(u); return (m.atan(x)/x-1)/u if u>mpf('1e-20') else mpf(-1)/3+u/5
for n in (12,13,14,15): a_=cheb(at,mpf('1e-19'),mpf('0.1716'),n)
poly("atan_tail",cheb(at,mpf('1e-19'),mpf('0.1716'),13),"(atan(x)/x-1)/x^2 in x^2, |x|<=tan(pi/8)")
say("log extra")
def lt(u): return sum(2*u**k/(2*k+9) for k in range(60))
smax=((sqrt(mpf(2))-1)/(sqrt(mpf(2))+1))**2
poly("atanh_rest",cheb(lt,0,smax*mpf('1.002'),7),"2 (atanh(s)/s-1-s^2/3-s^4/5-s^6/7)/s^8 in s^2")
say("exp extra")
def fe(r):
    s=mpf(0);t=mpf(1)/24
    for k in range(40):
        s+=t; t=t*r/(k+5)
    return s
h=log(mpf(2))/2*mpf('1.001')
poly("exp_rest",cheb(fe,-h,h,10),"(exp(r)-1-r-r^2/2-r^3/6)/r^4 on |r|<=ln2/2")
say("qnorm")
def Qinv(lp,z0):
    z=z0
    for _ in range(60):
        if z>50:
            lq=-z*z/2+log(mills(z)); d=-(1/sqrt(2*pi))/mills(z)
        else:
            q=erfc(z/sqrt(mpf(2)))/2; lq=log(q); d=-exp(-z*z/2)/sqrt(2*pi)/q
        dz=(lq-lp)/d; z-=dz
        if abs(dz)<mpf(10)**-60*max(1,abs(z)): break
    return z
c0=sqrt(2*pi)
def cen(u):
    if u<mpf('1e-12'): return c0*(2*pi)/6
    q=sqrt(u); z=Qinv(log(mpf(1)/2-q),q*c0); return (z/q-c0)/u
poly("quantile_centre",cheb(cen,mpf('1e-11'),mpf('0.1523'),23,mpf('0.078125'),mpf('0.078125')),"qnorm centre: (z/q-sqrt(2pi))/q^2, variable (q^2-0.078125)*12.8, |q|<=0.39")
def tail(w):
    return w-Qinv(-w*w/2,w-1/w if w<3 else w-log(w*w*2*pi)/(2*w))
lo=mpf('2.1');hi=mpf(39)
cs=cheb(lambda t: tail(8*(1+t)/(1-t)),(lo-8)/(lo+8),(hi-8)/(hi+8),31)
dd("QT_0",cs[0],"");dd("QT_1",cs[1],"")
poly("quantile_tail",cs[2:],"qnorm tail: w-z, variable t=(w-8)/(w+8), w=sqrt(-2 log p) in [2.1,39]")
def ratfit(F0,a,b,n,d,name,doc,c=0,s=1):
    c=mpf(c);sc=mpf(s);a=(mpf(a)-c)/sc;b=(mpf(b)-c)/sc;K=n+d+1
    F=lambda v: F0(c+sc*v)
    xs=[(a+b)/2+(b-a)/2*cos(pi*(2*k+1)/(2*K)) for k in range(K)]
    M=matrix(K,K);R=matrix(K,1)
    for i,x in enumerate(xs):
        y=F(x)
        for j in range(n+1): M[i,j]=x**j
        for j in range(1,d+1): M[i,n+j]=-y*x**j
        R[i]=y
    s=lu_solve(M,R)
    P=[s[j] for j in range(n+1)];Q=[mpf(1)]+[s[n+j] for j in range(1,d+1)]
    err=0
    fP=[mpf(float(t)) for t in P];fQ=[mpf(float(t)) for t in Q]
    for k in range(300):
        x=a+(b-a)*(k+mpf(1)/3)/300
        y=F(x); v=m.polyval(fP[::-1],x)/m.polyval(fQ[::-1],x); err=max(err,abs(v/y-1))
    say(f" {name} {n}/{d} relerr {m.nstr(err,3)}")
    poly(name+"_numerator",P,doc+" (numerator)"); poly(name+"_denominator",Q,doc+" (denominator)")
ratfit(tail,16,60,8,8,"quantile_far","qnorm tail: w-z, variable (w-38)/22, w in [16,60]",38,22)
print("\n".join(out))
