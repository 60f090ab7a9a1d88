"""The interfaces of FMI 2.0 and 3.0 for co-simulation, around the functions of `c_code`."""

UNIT = """/* FMI @VERSION@ for co-simulation around WORD.c, written by dalembert. */
#include "WORD.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef void *Component;
typedef unsigned int Reference;
typedef enum { OK, WARNING, DISCARD, ERROR, FATAL, PENDING } Status;

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

typedef struct {
    double t, x[@NX@ + 1], u[@NU@ + 1], p[@NP@ + 1], y[@NY@ + 1];
} Unit;

static void begin(Unit *c)
{
    int i;
    c->t = 0.0;
    for (i = 0; i < @NX@; i++) c->x[i] = WORD_start[i];
    for (i = 0; i < @NU@; i++) c->u[i] = WORD_inputs[i];
    for (i = 0; i < @NP@; i++) c->p[i] = WORD_parameters[i];
}

static Component made(const char *mark)
{
    Unit *c;
    if (!mark || strcmp(mark, "GUID") != 0) return NULL;
    c = (Unit *)calloc(1, sizeof(Unit));
    if (c) begin(c);
    return c;
}

/* parameters may have been set since: the start is put on the constraints again */
static Status start(Unit *c) { return WORD_close(c->t, c->x, c->u, c->p) ? ERROR : OK; }

/* references: inputs, parameters, outputs, states, the time */
static Status get(Unit *c, const Reference r[], size_t n, double values[])
{
    size_t k;
    WORD_outputs(c->t, c->x, c->u, c->p, c->y);
    for (k = 0; k < n; k++) {
        Reference i = r[k];
        if (i < @NU@) { values[k] = c->u[i]; continue; }
        i -= @NU@;
        if (i < @NP@) { values[k] = c->p[i]; continue; }
        i -= @NP@;
        if (i < @NY@) { values[k] = c->y[i]; continue; }
        i -= @NY@;
        if (i < @NX@) { values[k] = c->x[i]; continue; }
        if (i > @NX@) return ERROR;
        values[k] = c->t;
    }
    return OK;
}

static Status set(Unit *c, const Reference r[], size_t n, const double values[])
{
    size_t k;
    for (k = 0; k < n; k++) {
        Reference i = r[k];
        if (i < @NU@) { c->u[i] = values[k]; continue; }
        i -= @NU@;
        if (i >= @NP@) return ERROR;
        c->p[i] = values[k];
    }
    return OK;
}

static Status advance(Unit *c, double t, double h)
{
    int n = (int)ceil(h / LONGEST * (1.0 - 1e-9)), k;
    if (n < 1) n = 1;
    for (k = 0; k < n; k++)
        if (WORD_step(t + k * (h / n), h / n, c->x, c->u, c->p)) return DISCARD;
    c->t = t + h;
    return OK;
}
"""
"""WORD, GUID, LONGEST and the sizes @NX@, @NU@, @NP@, @NY@ are filled in."""

FMI2 = """
EXPORT const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORT const char *fmi2GetVersion(void) { return "2.0"; }
EXPORT Status fmi2SetDebugLogging(Component c, int on, size_t n, const char *const names[])
{
    (void)c; (void)on; (void)n; (void)names;
    return OK;
}

EXPORT Component fmi2Instantiate(const char *name, int type, const char *guid, const char *place,
                                 const void *functions, int visible, int logging)
{
    (void)name; (void)place; (void)functions; (void)visible; (void)logging;
    return type == 1 ? made(guid) : NULL;
}

EXPORT void fmi2FreeInstance(Component c) { free(c); }
EXPORT Status fmi2SetupExperiment(Component c, int defined, double tolerance, double start,
                                  int ends, double stop)
{
    (void)defined; (void)tolerance; (void)ends; (void)stop;
    ((Unit *)c)->t = start;
    return OK;
}
EXPORT Status fmi2EnterInitializationMode(Component c) { (void)c; return OK; }
EXPORT Status fmi2ExitInitializationMode(Component c) { return start((Unit *)c); }
EXPORT Status fmi2Terminate(Component c) { (void)c; return OK; }
EXPORT Status fmi2Reset(Component c) { begin((Unit *)c); return OK; }

EXPORT Status fmi2GetReal(Component c, const Reference r[], size_t n, double values[])
{ return get((Unit *)c, r, n, values); }
EXPORT Status fmi2SetReal(Component c, const Reference r[], size_t n, const double values[])
{ return set((Unit *)c, r, n, values); }
EXPORT Status fmi2DoStep(Component c, double t, double h, int keeps)
{ (void)keeps; return advance((Unit *)c, t, h); }

#define NONE(kind, name) \\
    EXPORT Status fmi2Get##name(Component c, const Reference r[], size_t n, kind values[]) \\
    { (void)c; (void)r; (void)values; return n ? ERROR : OK; } \\
    EXPORT Status fmi2Set##name(Component c, const Reference r[], size_t n, const kind values[]) \\
    { (void)c; (void)r; (void)values; return n ? ERROR : OK; }
NONE(int, Integer)
NONE(int, Boolean)
typedef const char *Text;
NONE(Text, String)

EXPORT Status fmi2GetFMUstate(Component c, void **s) { (void)c; (void)s; return ERROR; }
EXPORT Status fmi2SetFMUstate(Component c, void *s) { (void)c; (void)s; return ERROR; }
EXPORT Status fmi2FreeFMUstate(Component c, void **s) { (void)c; (void)s; return ERROR; }
EXPORT Status fmi2SerializedFMUstateSize(Component c, void *s, size_t *n)
{ (void)c; (void)s; (void)n; return ERROR; }
EXPORT Status fmi2SerializeFMUstate(Component c, void *s, char b[], size_t n)
{ (void)c; (void)s; (void)b; (void)n; return ERROR; }
EXPORT Status fmi2DeSerializeFMUstate(Component c, const char b[], size_t n, void **s)
{ (void)c; (void)b; (void)n; (void)s; return ERROR; }
EXPORT Status fmi2GetDirectionalDerivative(Component c, const Reference z[], size_t nz,
                                           const Reference v[], size_t nv, const double dv[],
                                           double dz[])
{ (void)c; (void)z; (void)nz; (void)v; (void)nv; (void)dv; (void)dz; return ERROR; }
EXPORT Status fmi2SetRealInputDerivatives(Component c, const Reference r[], size_t n,
                                          const int order[], const double values[])
{ (void)c; (void)r; (void)order; (void)values; return n ? ERROR : OK; }
EXPORT Status fmi2GetRealOutputDerivatives(Component c, const Reference r[], size_t n,
                                           const int order[], double values[])
{ (void)c; (void)r; (void)order; (void)values; return n ? ERROR : OK; }
EXPORT Status fmi2CancelStep(Component c) { (void)c; return ERROR; }
EXPORT Status fmi2GetStatus(Component c, int what, Status *value)
{ (void)c; (void)what; (void)value; return DISCARD; }
EXPORT Status fmi2GetRealStatus(Component c, int what, double *value)
{ (void)what; *value = ((Unit *)c)->t; return OK; }
EXPORT Status fmi2GetIntegerStatus(Component c, int what, int *value)
{ (void)c; (void)what; (void)value; return DISCARD; }
EXPORT Status fmi2GetBooleanStatus(Component c, int what, int *value)
{ (void)c; (void)what; (void)value; return DISCARD; }
EXPORT Status fmi2GetStringStatus(Component c, int what, const char **value)
{ (void)c; (void)what; (void)value; return DISCARD; }
"""

FMI3 = """
EXPORT const char *fmi3GetVersion(void) { return "3.0"; }
EXPORT Status fmi3SetDebugLogging(Component c, bool on, size_t n, const char *const names[])
{ (void)c; (void)on; (void)n; (void)names; return OK; }

EXPORT Component fmi3InstantiateCoSimulation(
    const char *name, const char *token, const char *place, bool visible, bool logging,
    bool events, bool early, const Reference wanted[], size_t n, void *environment,
    void (*message)(void), void (*update)(void))
{
    (void)name; (void)place; (void)visible; (void)logging; (void)early; (void)wanted; (void)n;
    (void)environment; (void)message; (void)update;
    return events ? NULL : made(token);
}
EXPORT Component fmi3InstantiateModelExchange() { return NULL; }
EXPORT Component fmi3InstantiateScheduledExecution() { return NULL; }
EXPORT void fmi3FreeInstance(Component c) { free(c); }

EXPORT Status fmi3EnterInitializationMode(Component c, bool defined, double tolerance,
                                          double first, bool ends, double stop)
{
    (void)defined; (void)tolerance; (void)ends; (void)stop;
    ((Unit *)c)->t = first;
    return OK;
}
EXPORT Status fmi3ExitInitializationMode(Component c) { return start((Unit *)c); }
EXPORT Status fmi3Terminate(Component c) { (void)c; return OK; }
EXPORT Status fmi3Reset(Component c) { begin((Unit *)c); return OK; }

EXPORT Status fmi3GetFloat64(Component c, const Reference r[], size_t n, double values[],
                             size_t count)
{ return n == count ? get((Unit *)c, r, n, values) : ERROR; }
EXPORT Status fmi3SetFloat64(Component c, const Reference r[], size_t n, const double values[],
                             size_t count)
{ return n == count ? set((Unit *)c, r, n, values) : ERROR; }

EXPORT Status fmi3DoStep(Component given, double t, double h, bool keeps, bool *event, bool *ends,
                         bool *early, double *reached)
{
    Unit *c = (Unit *)given;
    Status status = advance(c, t, h);
    (void)keeps;
    *event = *ends = *early = false;
    *reached = status == OK ? c->t : t;
    return status;
}

#define NONE(name) EXPORT Status fmi3##name() { return ERROR; }
#define NEITHER(name) NONE(Get##name) NONE(Set##name)
NEITHER(Float32) NEITHER(Int8) NEITHER(UInt8) NEITHER(Int16) NEITHER(UInt16) NEITHER(Int32)
NEITHER(UInt32) NEITHER(Int64) NEITHER(UInt64) NEITHER(Boolean) NEITHER(String) NEITHER(Binary)
NEITHER(Clock) NEITHER(FMUState) NEITHER(IntervalDecimal) NEITHER(IntervalFraction)
NEITHER(ShiftDecimal) NEITHER(ShiftFraction) NEITHER(ContinuousStates)
NONE(FreeFMUState) NONE(SerializedFMUStateSize) NONE(SerializeFMUState) NONE(DeserializeFMUState)
NONE(GetNumberOfVariableDependencies) NONE(GetVariableDependencies)
NONE(GetDirectionalDerivative) NONE(GetAdjointDerivative) NONE(GetOutputDerivatives)
NONE(EnterConfigurationMode) NONE(ExitConfigurationMode) NONE(EnterEventMode)
NONE(EnterStepMode) NONE(EnterContinuousTimeMode) NONE(EvaluateDiscreteStates)
NONE(UpdateDiscreteStates) NONE(CompletedIntegratorStep) NONE(SetTime)
NONE(GetContinuousStateDerivatives) NONE(GetEventIndicators) NONE(GetNominalsOfContinuousStates)
NONE(GetNumberOfEventIndicators) NONE(GetNumberOfContinuousStates) NONE(ActivateModelPartition)
"""
