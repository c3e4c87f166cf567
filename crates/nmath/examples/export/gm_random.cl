// @provides: gm_random, GM_RANDOM, GM_RANDOM_PARAMETER, GM_RANDOM_ARGUMENT
// @depends: Rmath

/* Random numbers with C's arguments: the state of one work-item. The entry sets it up once,
       GM_RANDOM(seed, stream, get_global_id(0));
   and every draw of that scope (`rnorm(mu, sigma)`, `unif_rand()`) is the number of that seed, stream and index, and goes on to
   the next stream: the first draw is rnorm(seed, stream, index, mu, sigma) of the library, the second one that of stream + 1.
   A function that draws takes GM_RANDOM_PARAMETER and is called with GM_RANDOM_ARGUMENT. */
typedef struct {
    ulong seed;
    uint stream;
    ulong index;
} gm_random;

/* The name is what a compiler says when an entry draws before GM_RANDOM. */
#define GM_RANDOM_ARGUMENT set_up_by_GM_RANDOM
#define GM_RANDOM_PARAMETER gm_random *GM_RANDOM_ARGUMENT
#define GM_RANDOM(seed_, stream_, index_) \
    gm_random gm_random_of_work_item = {(ulong)(seed_), (uint)(stream_), (ulong)(index_)}; \
    GM_RANDOM_PARAMETER = &gm_random_of_work_item
