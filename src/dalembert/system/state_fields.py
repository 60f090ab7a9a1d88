"""Fields of the state of a run: what there is, how much of it, and what it means.

`sizes`, integers, begins with what `integers`, `tables`, `attached` and `addresses` declare and
with where each field of `numbers` begins; the integer tables of bodies follow (`system.tables` says
what stands in them). `work`, floats, holds the fields of `numbers` in the order in which they are
declared; those that depend on the method come last.
"""

from dalembert._memory import Memory, over
from dalembert._records import Matrix, Numbers
from dalembert.system.tables import CONSTANT, INERTIA, LACKING, RECORD, SIDE_NUMBERS


class Fields(Memory):
    """The packed arrays of a run, field by field."""

    class integers:
        work_length: int  # of `work`; the first slot (see _jit)
        # counts
        nq: int  # coordinates
        nv: int  # velocities
        holonomic: int  # rows of position constraints, which come first
        rows: int  # of constraints
        events: int
        one: int  # 1
        options_length: int  # of the options of a method or an integrator
        inputs: int  # of controllers
        reactions: int  # in formulas of forces (methods 2.2)
        sides: int  # one-sided rows: limits, cables, motors and the like
        quaternions: int  # among the coordinates
        mechanism: int  # 1: bodies, however their motion is described
        placed: int  # bodies that have records
        bodies: int  # of seven coordinates each
        dense: int  # 1: there is room for full matrices
        plane: int  # axis that bodies of a plane motion turn about, or -1
        pairs: int
        actions: int
        incidences: int
        terms: int
        wound: int  # angles with full turns
        blocks: int  # of H
        massless: int  # bodies without inertia about some axis
        empty: int  # blocks of H that no pair writes
        hinges: int  # whose turns are counted (`mechanics.winding`)
        tree_elements: int
        tree_product_count: int
        tree_length: int  # of `tree_table`
        dual_column_count: int  # of W = J M^-1 J^T of bodies (`system.dual`)
        dual_division_count: int
        dual_product_count: int
        dual_empty_count: int
        dual_row_count: int
        contact_integers_length: int
        contact_numbers_length: int
        # what kernels keep: of the linear solve,
        rank: int  # of J
        branch: int  # which way the last factors went
        rank_limit: int
        lasting_rank: int  # of all rows where some are left out, on the constraints; 0: not known
        by_all: int  # 1: this step takes all rows (`mechanics.all_rows`)
        rank_max: int  # largest so far
        seen_rank: int
        held_rank: int  # directions in which forces are found
        firm_rank: int  # most that were told without doubt; 0: not yet known
        seen: int
        factored: int
        dropped: int
        least_dropped: int
        dual_off: int
        continued: int
        evaluated: int  # 1: `work` holds the evaluation of evaluated_time, evaluated_q, evaluated_v
        has_last: int  # remembered accelerations; -1: a correction is asked for, not forces
        # of the method and the integrator,
        memory: int  # 0: there is no step before
        method_flag: int
        integrator_flag: int
        failed_index: int  # of what stopped a run
        # and counters
        projections: int
        iterations: int
        rejected: int
        evaluations: int
        factorisations: int
        step_factorisations: int
        refinements: int
        near_count: int
        leaps: int
        leaps_in_row: int
        beside_steps: int  # in a row, as near a singular position as one step has led
        undecided_steps: int  # the side of a singular position is not known after them
        left_off: int  # stages whose forces left nearly lost directions off, and not on the way
        weak_for_good: int  # 1: directions nearly lost are no way through, whatever steps there are
        # what the model and the choices of the run say
        force_has_velocity: int
        gyroscopic: int  # 1: the torque is taken implicitly
        long_steps: int
        tree_sees_quaternions: int
        turns_in_rows: int  # 1: rows hold full turns of angles, not forces alone
        see_rates: int  # 1: controllers see accelerations

    class tables:
        """Where integer tables begin."""

        quaternion_table: int  # (q, v): where each quaternion begins
        hinge_table: int
        wound_hinges: int  # the hinge of each wound angle, or -1
        pair_table: int
        action_table: int
        incidence_table: int
        term_table: int
        column_table: int  # of the factors of H (`numerics.block_sparse`)
        below_table: int
        update_table: int
        turns_table: int
        empty_table: int
        massless_table: int
        dual_columns: int  # of the factors of W
        dual_below: int
        dual_updates: int
        dual_divisions: int
        dual_products: int
        dual_empty: int
        dual_rows: int
        tree_table: int
        tree_element_table: int
        tree_products: int
        tree_seen: int  # per link of a tree 1: rows see its body
        contact_integers: int  # part of contact (`contact.run.run_layout`)

    class attached:
        """Where numbers begin that stand behind all fields."""

        hinge_numbers: int
        hinge_room: int
        hinge_time: int  # moment up to which turns are counted
        contact_numbers: int

    class addresses:
        """Functions of one process (`system.borders`)."""

        evaluate: int
        residual: int
        tangent: int
        guard: int
        factor: int
        solve: int
        respond: int
        rates: int
        rates_general: int
        begin_step: int
        end_step: int
        advance: int
        backward: int
        prepare: int
        see: int
        specific_see: int
        specific: int
        specific_residual: int
        specific_action: int
        specific_guard: int
        angles_of: int
        place_body: int
        dual_invert: int
        proximal_factor: int
        proximal_solve: int
        proximal_respond: int
        side_rows: int
        side_bias_rows: int  # J' v of one-sided rows
        contact_collide: int
        contact_solve: int
        contact_close: int
        contact_share: int
        contact_note: int  # what contact writes down with a sample
        contact_log_full: int  # whether it has no more room for that
        contact_was_smooth: int  # whether the last step was one without impulses
        smooth_advance: int  # steps between those with impulses (`contact.step.smooth`)
        smooth_end: int
        smooth_prepare: int
        smooth_output: int

    class numbers:
        parameters: Numbers = over("parameters")
        options: Numbers = over("options_length")  # of the method
        integrator_options: Numbers = over("options_length")
        row_scale: Numbers = over("rows")
        row_tolerance: Numbers = over("rows")  # residual that counts as rounding
        row_size: Numbers = over("rows")
        row_share: Numbers = over("rows")  # left of a row of J after its terms have cancelled
        length: float  # size of the coordinates  [m]
        margin: float
        error: float  # of a step, over its tolerance
        next_step: float  # that a method which judges steps itself asks for, or 0  [s]
        parted: float  # largest |phi'| that steps with impulses left to be taken out
        undecided_time: float  # of the first step after which the side is not known
        undecided_sigma: float  # least of such steps
        last_sigma: float  # of the step before
        near_sigma: float  # when it came near
        reaction_places: Numbers = over("2 * reactions")  # parameter, row of each
        ideal_vdot: Numbers = over("nv", when="reactions")  # without forces of reactions
        ideal_lam: Numbers = over("rows", when="reactions")
        held_phi: Numbers = over("rows")  # of the start of a step
        held_phi_dot: Numbers = over("rows")
        phi: Numbers = over("rows")  # Phi, where a row has one
        phi_dot: Numbers = over("rows")  # Phi' = J v + Phi_t
        phi_t: Numbers = over("rows")
        rhs_a: Numbers = over("rows")  # of J v' = rhs_a
        jacobian: Matrix = over("rows", "nv", when="dense")  # J
        mass: Matrix = over("nv", "nv", when="dense")  # M, its lower triangle
        force: Numbers = over("nv")  # Q
        stiffness: Matrix = over("nv", "nv", when="dense")  # K
        damping: Matrix = over("nv", "nv", when="dense")  # D
        jacobian_dot: Matrix = over("rows", "nv", when="dense")  # d(J v) / dq
        mass_l: Matrix = over("nv", "nv", when="dense")  # M = L D L^T
        mass_pivot: Numbers = over("nv")
        mass_inverse: Numbers = over("nv")
        rows_y: Matrix = over("rows", "nv", when="dense")
        delassus: Matrix = over("rows", "rows", when="dense")  # J M^-1 J^T
        delassus_l: Matrix = over("rows", "rows", when="dense")
        delassus_pivot: Numbers = over("rows")
        delassus_inverse: Numbers = over("rows")
        ortho_c: Matrix = over("rows", "nv", when="dense")  # C = J R^-1, M = R^T R
        ortho_r: Matrix = over("rows", "rows", when="dense")
        ortho_order: Numbers = over("rows")
        ortho_beta: Numbers = over("rows")
        ortho_gamma: Numbers = over("rows")
        saddle: Matrix = over("nv + rows", "nv + rows", when="dense")
        saddle_order: Numbers = over("nv + rows", when="dense")
        saddle_x: Numbers = over("nv + rows", when="dense")
        saddle_scale: Numbers = over("nv + rows", when="dense")
        solve_b: Numbers = over("rows")  # scratch of solves
        solve_s: Numbers = over("rows")
        solve_x: Numbers = over("nv")
        solve_last: Numbers = over("nv")
        predicted_vdot: Numbers = over("nv")
        last_vdot: Numbers = over("nv")
        before_last_vdot: Numbers = over("nv")
        last_times: Numbers = over("2")
        start_q: Numbers = over("nq")  # the accepted state a step begins with
        start_v: Numbers = over("nv")
        after_q: Numbers = over("nq")
        top: Numbers = over("nv")  # right sides of M x = top + J^T lam, J x = bottom
        bottom: Numbers = over("rows")
        correction: Numbers = over("nv")  # and results
        correction_lam: Numbers = over("rows")
        push_lam: Numbers = over("rows")  # impulses of rows in the last projection of a velocity
        qdot: Numbers = over("nq")
        vdot: Numbers = over("nv")
        lam: Numbers = over("rows")
        body_records: Numbers = over(f"{RECORD} * placed + {RECORD}", when="placed")
        body_constants: Numbers = over(f"{CONSTANT} * bodies")
        body_inertia: Numbers = over(f"{INERTIA} * placed")
        body_force: Numbers = over("6 * placed", when="tree")  # otherwise those in `force`
        tree_numbers: Numbers = over("tree_numbers")
        tree_room: Numbers = over("tree_room")
        tree_state: Numbers = over("13 * placed", when="tree")
        tree_mass: Matrix = over("nv", "nv", when="tree_has_rows")
        tree_roots: Numbers = over("nv", when="tree_has_rows")
        tree_rows: Numbers = over("tree_rows")
        tree_half: Numbers = over("tree_rows")
        tree_reach: Numbers = over("nv", when="tree_has_rows")  # sizes of the terms of a row
        tree_side: Numbers = over("nv", when="tree")
        body_weight: Numbers = over("2 * bodies")
        gravity: Numbers = over("3")
        element_data: Numbers = over("element_data")
        jacobian_blocks: Numbers = over("jacobian_blocks")
        spare: Numbers = over("12", when="placed")
        proximal: Numbers = over("36 * blocks")  # H, its blocks
        proximal_inverse: Numbers = over("6 * bodies")
        row_weight: Numbers = over("rows", when="bodies")
        rest_top: Numbers = over("nv", when="placed")
        rest_bottom: Numbers = over("rows", when="placed")
        rest_weighted: Numbers = over("rows", when="bodies")
        proximal_scale: float
        tangent_q: Numbers = over("nq", when="placed")
        spare_inertia: Numbers = over(f"{LACKING} * massless")
        dual: Numbers = over("dual")  # blocks of W = J M^-1 J^T (`system.dual`)
        dual_inverse: Numbers = over("rows", when="dual")
        dual_ratio: Numbers = over("rows", when="dual")
        dual_whole: Numbers = over("rows", when="dual")
        dual_lam: Numbers = over("rows", when="dual")
        dual_best: Numbers = over("rows", when="dual")
        gradient: Numbers = over("rows", when="bodies")  # `mechanics.gradients`
        direction: Numbers = over("rows", when="bodies")
        direction_image: Numbers = over("rows", when="bodies")
        direction_motion: Numbers = over("nv", when="bodies")
        kept_q: Numbers = over("nq", when="bodies")
        followed_q: Numbers = over("nq")
        followed_v: Numbers = over("nv")
        dual_scratch: Numbers = over("dual_scratch")
        dual_z: Numbers = over("jacobian_blocks", when="dual")
        mass_inverses: Numbers = over(f"{INERTIA} * bodies", when="dual")
        dual_top: Numbers = over("nv", when="dual")
        dual_bottom: Numbers = over("rows", when="dual")
        dual_change: Numbers = over("nv", when="dual")
        change: Numbers = over("nv", when="placed")
        change_mass: Numbers = over("nv", when="placed")
        evaluated_time: float
        factored_time: float
        evaluated_q: Numbers = over("nq", when="tree")
        evaluated_v: Numbers = over("nv", when="tree")
        angles: Numbers = over("wound")
        last_angles: Numbers = over("wound")
        block_scratch: Numbers = over("36 * most_below")
        constants: Numbers = over("constants")
        event_values: Numbers = over("events")
        input_values: Numbers = over("inputs")
        input_rates: Numbers = over("nq + nv + rows", when="inputs")
        side_phi: Numbers = over("sides")
        side_phi_dot: Numbers = over("sides")
        side_phi_t: Numbers = over("sides")
        side_jacobian: Numbers = over("side_jacobian")
        side_data: Numbers = over(f"{SIDE_NUMBERS} * sides")
        side_bias: Numbers = over("sides")  # J' v
        method_scratch: Numbers = over("method_scratch")
        integrator_scratch: Numbers = over("integrator_scratch")
