/* Runs a fuzz target on stored inputs: every file of the folders given, and for small files also
 * every beginning of it. Each input stands in memory of exactly its size, so that a sanitizer sees
 * a read behind the end. */
#include <dirent.h>

#include "fuzz_common.h"

/* Files up to this size are also cut at every byte. */
enum { CUT_LIMIT = 2048 };

static void run(const uint8_t *data, size_t n)
{
    uint8_t *exact = malloc(n ? n : 1);
    must(exact != NULL, "memory");
    if (n) memcpy(exact, data, n);
    LLVMFuzzerTestOneInput(exact, n);
    free(exact);
}

static void run_file(const char *path)
{
    static uint8_t data[1 << 20];
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        exit(2);
    }
    size_t n = fread(data, 1, sizeof data, f);
    must(feof(f) && !ferror(f), "the whole file is read");
    fclose(f);
    fprintf(stderr, "%s: %zu bytes\n", path, n);
    run(data, n);
    for (size_t cut = 0; n <= CUT_LIMIT && cut < n; cut++) run(data, cut);
}

int main(int argc, char **argv)
{
    unsigned files = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (!folder) {
            perror(argv[i]);
            return 2;
        }
        for (struct dirent *e; (e = readdir(folder));) {
            char path[1200];
            if (e->d_name[0] == '.') continue;
            snprintf(path, sizeof path, "%s/%s", argv[i], e->d_name);
            run_file(path);
            files++;
        }
        closedir(folder);
    }
    fprintf(stderr, "%u files\n", files);
    return files ? 0 : 2;
}
