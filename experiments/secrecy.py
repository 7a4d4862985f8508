"""Draft."""
import sys, time, warnings
import numpy as np, pyarrow as pa
import discretion as ds
from experiments.accuracy import each
from functools import partial

AVERAGE = {"average": 2, "least": 0.25, "most": 6}
LEVELS = {"levels": [0.25, 0.5, 1, 2, 4]}

def plan(shape, budget):
    at=[{"name":f"a{j}","kind":"categorical","values":[str(c) for c in range(s)],"mechanism":"oue"} for j,s in enumerate(shape)]
    return ds.Plan.of({"name":"t","attributes":at,"budget":budget,"allocation":"secret"})

def grid(x): return np.round(np.asarray(x)*4)/4

def least(rng,n,k):
    return AVERAGE, np.full((n,k),.25), np.ones((n,k),bool)
def quarter(rng,n,k):
    return AVERAGE, np.full((n,k),.5), np.ones((n,k),bool)
def two_types(rng,n,k):
    one = rng.random(n)<.5
    a=np.where(np.arange(k)%2, .5, 3.0); b=np.where(np.arange(k)%2, 1.5,.25)
    return AVERAGE, np.where(one[:,None],a,b), np.ones((n,k),bool)
def correlated(rng,n,k):
    t=rng.random((n,1)); 
    return AVERAGE, np.clip(grid(.25+1.75*t**2+ .25*(rng.random((n,k))-.5)),.25,2), np.ones((n,k),bool)
def menu(rng,n,k):
    return LEVELS, rng.choice([.25,.5,1,2,4],(n,k)), np.ones((n,k),bool)
def anyof(rng,n,k):
    lv=rng.choice(np.arange(.25,6.01,.25),(n*30,k)); lv=lv[lv.sum(1)<=2*k][:n]
    return AVERAGE, lv, np.ones((n,k),bool)
def half(rng,n,k):
    there=np.ones((n,k),bool); h=rng.random(n)<.5
    one=rng.integers(0,k,n); there[h]=False; there[h,one[h]]=True
    lv=grid(.25+rng.beta(1,2,(n,k))*1.75)
    lv[h]=2.0
    return AVERAGE, lv, there
def dirichlet(rng,n,k):
    return AVERAGE, "dirichlet", rng.random((n,k))<.9
CASES=dict(least=least,quarter=quarter,two_types=two_types,correlated=correlated,menu=menu,anyof=anyof,half=half,dirichlet=dirichlet)

def truth(shape,rng,strength=1.5):
    f=rng.dirichlet(np.full(int(np.prod(shape)),strength)).reshape(shape)
    return f

def reports(case,shape,n,seed):
    rng=np.random.default_rng([seed,1])
    f=truth(shape,rng)
    budget,lv,there=CASES[case](rng,n,len(shape))
    codes=np.array(np.unravel_index(rng.choice(f.size,n,p=f.ravel()),f.shape))
    there &= rng.random(there.shape)<.93 if case!="half" else True
    if not isinstance(lv,str) and budget is AVERAGE:
        bad=(lv*there).sum(1)>2*there.sum(1); there[bad]=True
    rec={f"a{j}":pa.array(codes[j].astype(str),mask=~there[:,j]) for j in range(len(shape))}
    b = lv if isinstance(lv,str) else {f"a{j}":lv[:,j] for j in range(len(shape))}
    return f, ds.simulate(plan(shape,budget),rec,budgets=b,seed=seed)

FITS=[]
import discretion.joints.methods as M
_old=M.BudgetMixture.learnt
def _keep(ev):
    law=_old(ev); FITS.append(law); return law
M.BudgetMixture.learnt=_keep
def run(case,shape,n,seed):
    f,r=reports(case,shape,n,seed)
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        e=ds.joint(r,r.plan.names)
    fit=FITS[-1].fit.p if FITS else 1
    FITS.clear()
    iv=e.interval()
    held=(iv[...,0]<=f)&(iv[...,1]>=f)
    warned=fit<.05
    z=(e.centre-f)/e.stderr
    return held.mean(), warned, np.abs(e.value-f).sum()/2, (z**2).mean(), e.stderr.mean()

if __name__=="__main__":
    cases=sys.argv[1].split(",") if sys.argv[1]!="all" else list(CASES)
    shape=tuple(map(int,sys.argv[2].split("x"))); n=int(sys.argv[3]); runs=int(sys.argv[4]); seed=int(sys.argv[5])
    for c in cases:
        t=time.time(); t0=time.process_time()
        seeds=np.random.default_rng(seed).integers(0,1<<40,runs).tolist()
        o=np.array([run(c,shape,n,s) for s in seeds],float)
        print(f"{c:10s} {shape} n={n} cov {o[:,0].mean():.3f} ±{o[:,0].std()/runs**.5:.3f} warn {o[:,1].mean():.3f} tv {o[:,2].mean():.4f} z2 {o[:,3].mean():.2f} se {o[:,4].mean():.4f} cpu/run {(time.process_time()-t0)/runs:.2f}",flush=True)
