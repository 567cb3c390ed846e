/* The yardstick of `python -m benchmarks tables`: every board of Awari with at most N seeds, solved
   backwards on bytes, as plainly as C allows. Prints n, value and count of each value. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { HOUSES = 12, MOST = 24 };
static uint64_t choose[64][16];
static int8_t *layer[MOST + 1];

static uint64_t count(int n) { return choose[n + 11][11]; }

static void prepare(void) {
    for (int n = 0; n < 64; n++)
        for (int k = 0; k < 16; k++)
            choose[n][k] = k == 0 ? 1 : n == 0 ? 0 : choose[n - 1][k - 1] + choose[n - 1][k];
}

static uint64_t rank_of(const uint8_t *b) {
    uint64_t rank = 0;
    for (int i = 0, sum = 0; i < HOUSES - 1; i++) sum += b[i], rank += choose[sum + i][i + 1];
    return rank;
}

static void board_of(uint64_t rank, int n, uint8_t *b) {
    int above = n;
    for (int i = HOUSES - 2; i >= 0; i--) {
        int sum = above;
        while (choose[sum + i][i + 1] > rank) sum--;
        rank -= choose[sum + i][i + 1];
        b[i + 1] = above - sum;
        above = sum;
    }
    b[0] = above;
}

/* Plays a house; returns what is captured, or -1 for a grand slam if those are not allowed. */
static int play(const uint8_t *b, int house, int slams, uint8_t *after) {
    uint8_t s[HOUSES];
    int at = house, taken = 0, theirs = 0;
    for (int i = 0; i < HOUSES; i++) s[i] = b[i];
    int seeds = s[house];
    s[house] = 0;
    while (seeds) {
        at = at == 11 ? 0 : at + 1;
        if (at != house) s[at]++, seeds--;
    }
    for (int i = 6; i < HOUSES; i++) theirs += s[i];
    for (int i = at; i >= 6 && (s[i] == 2 || s[i] == 3); i--) taken += s[i];
    if (taken && taken == theirs && !slams) return -1;
    for (int i = at, left = taken; left; i--) left -= s[i], s[i] = 0;
    for (int i = 0; i < 6; i++) after[i] = s[i + 6], after[i + 6] = s[i];
    return taken;
}

static int moves(const uint8_t *b, uint8_t after[6][HOUSES], int *taken) {
    int theirs = 0, found = 0;
    for (int i = 6; i < HOUSES; i++) theirs += b[i];
    for (int slams = 0; slams < 2 && !found; slams++)
        for (int house = 0; house < 6; house++) {
            if (!b[house] || (!theirs && b[house] < 6 - house)) continue;
            taken[found] = play(b, house, slams, after[found]);
            if (taken[found] >= 0) found++;
        }
    return found;
}

/* The boards from which a move that captures nothing leads here. */
static int before(const uint8_t *b, uint64_t *ranks) {
    int found = 0, mine = 0;
    uint8_t s[HOUSES];
    for (int i = 0; i < 6; i++) mine += b[i];
    if (!mine) return 0;
    for (int house = 0; house < 6; house++) {
        if (b[house + 6]) continue;
        for (int i = 0; i < 6; i++) s[i] = b[i + 6], s[i + 6] = b[i];
        for (int at = house;;) {
            at = at == 11 ? 0 : at + 1;
            if (at == house) continue;
            if (!s[at]) break;
            s[at]--, s[house]++;
            if (at >= 6 && (b[at - 6] == 2 || b[at - 6] == 3)) continue;
            ranks[found++] = rank_of(s);
        }
    }
    return found;
}

static void solve(int n) {
    uint64_t size = count(n), wins = 0, losses = 0, won_seen = 0, lost_seen = 0, ranks[256];
    int8_t *value = layer[n] = malloc(size);
    uint8_t *left = malloc(size), *done = calloc(size, 1), b[HOUSES], after[6][HOUSES];
    uint32_t *won = malloc(4 * size), *lost = malloc(4 * size);
    int taken[6];
    for (uint64_t r = 0; r < size; r++) {
        board_of(r, n, b);
        int found = moves(b, after, taken), best = -128, quiet = 0;
        if (!found) {
            best = -n;
            for (int i = 0; i < 6; i++) best += 2 * b[i];
        }
        for (int i = 0; i < found; i++) {
            if (!taken[i]) { quiet++; continue; }
            int worth = taken[i] - layer[n - taken[i]][rank_of(after[i])];
            if (worth > best) best = worth;
        }
        value[r] = best, left[r] = quiet;
    }
    for (int v = n; v > 0; v--) {
        for (uint64_t r = 0; r < size; r++)
            if (!done[r] && value[r] == v) done[r] = 1, won[wins++] = r;
            else if (!done[r] && value[r] == -v && !left[r]) done[r] = 1, lost[losses++] = r;
        while (won_seen < wins || lost_seen < losses) {
            for (; won_seen < wins; won_seen++) {
                board_of(won[won_seen], n, b);
                for (int i = before(b, ranks); i--;) {
                    uint64_t r = ranks[i];
                    if (!--left[r] && !done[r] && value[r] <= -v) done[r] = 1, value[r] = -v, lost[losses++] = r;
                }
            }
            for (; lost_seen < losses; lost_seen++) {
                board_of(lost[lost_seen], n, b);
                for (int i = before(b, ranks); i--;)
                    if (!done[ranks[i]]) done[ranks[i]] = 1, value[ranks[i]] = v, won[wins++] = ranks[i];
            }
        }
    }
    for (uint64_t r = 0; r < size; r++) if (!done[r]) value[r] = 0;
    free(left), free(done), free(won), free(lost);
}

int main(int argc, char **argv) {
    int most = argc > 1 ? atoi(argv[1]) : 10;
    if (most < 0 || most > MOST) return 2;
    prepare();
    for (int n = 0; n <= most; n++) {
        uint64_t counts[2 * MOST + 1] = {0};
        solve(n);
        for (uint64_t r = 0; r < count(n); r++) counts[layer[n][r] + n]++;
        for (int v = -n; v <= n; v++) if (counts[v + n]) printf("%d %d %llu\n", n, v, (unsigned long long)counts[v + n]);
    }
    return 0;
}
