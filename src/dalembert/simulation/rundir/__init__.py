"""A run as a folder that survives the process: description, segments of samples, checkpoint.

    run.json             format, model as text, options, versions, hashes; at the end how it went
    model.npz            model, method, integrator, events: exactly what is run, as data
    start.npz            consistent initial state, moments to record
    segment-000001.npz   samples and events, in order of time
    checkpoint.npz       everything needed to go on, to the bit
    ending.npz           the same before the end of the interval had any influence, to extend it
    lock                 held by the process that writes

Every file but the lock is written beside its place, synchronised and renamed. The folder itself
appears with its first checkpoint, and a segment before the checkpoint that counts it: a process
that is killed leaves a run that can be read and resumed. Runs with actions: `actions_run`.
"""
