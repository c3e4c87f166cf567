/* Every routine that R may call, once: NAME, number of arguments. Declared, and registered under its name, by init.c. */
#define GM_ROUTINES(ROUTINE) \
    /* elementwise.c */ \
    ROUTINE(stats_2_1, 4) \
    ROUTINE(stats_2_2, 5) \
    ROUTINE(stats_3_1, 5) \
    ROUTINE(stats_3_2, 6) \
    ROUTINE(stats_4_1, 6) \
    ROUTINE(stats_4_2, 7) \
    ROUTINE(base_1, 2) \
    ROUTINE(math_1, 3) \
    ROUTINE(base_2, 3) \
    ROUTINE(base_3, 4) \
    /* random.c */ \
    ROUTINE(draw_0, 2) \
    ROUTINE(draw_1, 3) \
    ROUTINE(draw_2, 4) \
    ROUTINE(draw_3, 5) \
    ROUTINE(count_1, 3) \
    ROUTINE(count_2, 4) \
    ROUTINE(count_3, 5) \
    /* device.c */ \
    ROUTINE(device_map, 5) \
    ROUTINE(device_draw, 6) \
    ROUTINE(several, 4) \
    ROUTINE(multinomial, 5) \
    ROUTINE(log_sum, 1) \
    ROUTINE(has_device, 0) \
    ROUTINE(forget_device, 0) \
    ROUTINE(survey_records, 0) \
    ROUTINE(check_records, 0) \
    /* value.c */ \
    ROUTINE(perform, 2) \
    /* session.c */ \
    ROUTINE(kernel_names, 0) \
    ROUTINE(threads, 1)
