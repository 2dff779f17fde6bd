/*
 * Loaded before a server (LD_PRELOAD), this keeps what a power failure would leave: after each successful flush of a
 * file in KEPT_FROM its content is copied to KEPT_IN. What was written and not flushed is missing there. A file that is
 * removed stays there until its folder is flushed.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void die(const char *what) {
  perror(what);
  abort();
}

static void forgetRemoved(const char *from, const char *into) {
  char here[PATH_MAX * 2], kept[PATH_MAX * 2];
  DIR *folder = opendir(into);
  if (folder == NULL) die("opendir");
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    snprintf(here, sizeof here, "%s/%s", from, entry->d_name);
    snprintf(kept, sizeof kept, "%s/%s", into, entry->d_name);
    if (access(here, F_OK) != 0) unlink(kept);
  }
  closedir(folder);
}

static void keep(int flushed) {
  const char *from = getenv("KEPT_FROM"), *into = getenv("KEPT_IN");
  char link[64], file[PATH_MAX], copy[PATH_MAX * 2], kept[PATH_MAX * 2], block[1 << 16];
  if (from == NULL || into == NULL) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", flushed);
  ssize_t length = readlink(link, file, sizeof file - 1);
  if (length < 0) return;
  file[length] = 0;
  if (strcmp(file, from) == 0) {
    forgetRemoved(from, into);
    return;
  }
  const char *name = strrchr(file, '/');
  size_t folder = strlen(from);
  if (name == NULL || (size_t)(name - file) != folder || strncmp(file, from, folder) != 0) return;
  /* Under another name first: the process may be killed while it copies. */
  snprintf(copy, sizeof copy, "%s%s.copying", into, name);
  snprintf(kept, sizeof kept, "%s%s", into, name);
  int in = open(file, O_RDONLY), out = open(copy, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  /* A file that was removed since has nothing to keep. */
  if (in < 0) {
    if (out >= 0) close(out);
    return;
  }
  if (out < 0) die("open");
  for (ssize_t got; (got = read(in, block, sizeof block)) != 0;) {
    if (got < 0 || write(out, block, (size_t)got) != got) die("copy");
  }
  close(in);
  close(out);
  if (rename(copy, kept) != 0) die("rename");
}

int fsync(int file) {
  int (*flush)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  int result = flush(file);
  if (result == 0) keep(file);
  return result;
}

int fdatasync(int file) {
  int (*flush)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  int result = flush(file);
  if (result == 0) keep(file);
  return result;
}
