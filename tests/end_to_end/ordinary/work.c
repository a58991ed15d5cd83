/* What any C program may do with its libc: each line of output is one thing done. Exits with the first that fails. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DO(what)                                                        \
    do {                                                                \
        if (!(what)) {                                                  \
            printf("%s failed: %s\n", #what, strerror(errno));          \
            exit(1);                                                    \
        }                                                               \
    } while (0)

static volatile sig_atomic_t alarmed;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int counted;

static void on_alarm(int number) { alarmed = number; }

static void *count(void *unused) {
    pthread_setname_np(pthread_self(), "counter");
    pthread_mutex_lock(&mutex);
    counted++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void memory(void) {
    char *large = malloc(8 << 20), *small = calloc(100, 7);
    DO(large && small && (large = realloc(large, 16 << 20)));
    memset(large, 1, 16 << 20);
    free(large), free(small);
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    DO(page != MAP_FAILED && !mprotect(page, 4096, PROT_READ) && !madvise(page, 4096, MADV_DONTNEED));
    DO(!munmap(page, 4096));
    int shared = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    void *mapped = shmat(shared, NULL, 0);
    DO(shared >= 0 && mapped != (void *)-1 && !shmdt(mapped) && !shmctl(shared, IPC_RMID, NULL));
    puts("memory");
}

static void threads(void) {
    pthread_t made[4];
    for (int i = 0; i < 4; i++) DO(!pthread_create(&made[i], NULL, count, NULL));
    pthread_mutex_lock(&mutex);
    while (counted < 4) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 4; i++) DO(!pthread_join(made[i], NULL));
    sem_t *named = sem_open("/bot", O_CREAT, 0600, 1);
    DO(named != SEM_FAILED && !sem_wait(named) && !sem_post(named) && !sem_close(named) && !sem_unlink("/bot"));
    puts("threads");
}

static void files(void) {
    char folder[] = "/tmp/botXXXXXX", path[64], other[64], read_back[6] = "";
    DO(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a", folder), snprintf(other, sizeof other, "%s/b", folder);
    FILE *file = fopen(path, "w+");
    DO(file && fputs("cards", file) >= 0 && !fflush(file) && !fsync(fileno(file)));
    DO(pread(fileno(file), read_back, 5, 0) == 5 && !strcmp(read_back, "cards"));
    DO(!ftruncate(fileno(file), 3) && !fchmod(fileno(file), 0600) && !posix_fallocate(fileno(file), 0, 4096));
    struct flock lock = {.l_type = F_WRLCK};
    DO(!fcntl(fileno(file), F_SETLK, &lock) && !fclose(file));
    struct stat about;
    struct statx more;
    DO(!stat(path, &about) && about.st_size == 4096 && !statx(AT_FDCWD, path, 0, STATX_ALL, &more));
    DO(!rename(path, other) && !symlink(other, path) && !access(path, R_OK) && !faccessat(AT_FDCWD, path, R_OK, AT_EACCESS));
    DIR *listed = opendir(folder);
    int entries = 0;
    while (readdir(listed)) entries++;
    DO(entries == 4 && !closedir(listed));
    int from = open(other, O_RDONLY), to = memfd_create("copy", 0);
    DO(from >= 0 && to >= 0 && sendfile(to, from, NULL, 10) == 10);
    DO(!close(from) && !close(to) && !unlink(path) && !remove(other) && !rmdir(folder));
    puts("files");
}

static void sockets(void) {
    struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "/tmp/bot.sock"};
    int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), dialled = socket(AF_UNIX, SOCK_STREAM, 0);
    DO(!bind(listening, (void *)&at, sizeof at) && !listen(listening, 1) && !connect(dialled, (void *)&at, sizeof at));
    int accepted = accept4(listening, NULL, NULL, SOCK_NONBLOCK), pair[2], on = 1, many = epoll_create1(0);
    DO(accepted >= 0 && send(dialled, "play", 4, 0) == 4 && !socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
    DO(!setsockopt(dialled, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on));
    struct epoll_event event = {.events = EPOLLIN};
    DO(!epoll_ctl(many, EPOLL_CTL_ADD, accepted, &event) && epoll_wait(many, &event, 1, 5000) == 1);
    struct pollfd polled = {accepted, POLLIN, 0};
    fd_set selected;
    FD_ZERO(&selected);
    FD_SET(accepted, &selected);
    DO(poll(&polled, 1, 5000) == 1 && select(accepted + 1, &selected, NULL, NULL, NULL) == 1);
    char heard[4];
    struct iovec place = {heard, 4};
    struct msghdr message = {.msg_iov = &place, .msg_iovlen = 1};
    DO(recvmsg(accepted, &message, 0) == 4 && !memcmp(heard, "play", 4) && !shutdown(dialled, SHUT_RDWR));
    DO(socket(AF_INET, SOCK_STREAM, 0) >= 0 && socket(AF_INET6, SOCK_DGRAM, 0) >= 0 && !unlink(at.sun_path));
    puts("sockets");
}

static void time_and_signals(void) {
    struct timespec now, briefly = {0, 1000};
    struct sigaction action = {.sa_handler = on_alarm};
    DO(!clock_gettime(CLOCK_MONOTONIC, &now) && time(NULL) > 0 && !nanosleep(&briefly, NULL));
    DO(!clock_nanosleep(CLOCK_MONOTONIC, 0, &briefly, NULL) && !sigaction(SIGALRM, &action, NULL));
    sigset_t blocked, before;
    sigemptyset(&blocked), sigaddset(&blocked, SIGALRM), sigaddset(&blocked, SIGUSR1);
    DO(!sigprocmask(SIG_BLOCK, &blocked, &before));
    ualarm(1000, 0);
    while (!alarmed) sigsuspend(&before);
    int told = signalfd(-1, &blocked, 0), timer = timerfd_create(CLOCK_MONOTONIC, 0), event = eventfd(1, 0);
    struct signalfd_siginfo signalled;
    struct itimerspec soon = {.it_value = {0, 1000}};
    unsigned long long number;
    DO(!raise(SIGUSR1) && read(told, &signalled, sizeof signalled) > 0 && read(event, &number, 8) == 8);
    DO(!timerfd_settime(timer, 0, &soon, NULL) && read(timer, &number, 8) == 8);
    puts("time and signals");
}

static void processes(void) {
    int both[2], status;
    char heard[3] = "";
    DO(!pipe(both));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) _exit(write(both[1], "ok", 2) == 2 ? 7 : 1);
    DO(child > 0 && read(both[0], heard, 2) == 2 && waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
    char *words[] = {"true", NULL};
    DO(!posix_spawnp(&child, "true", NULL, NULL, words, environ) && waitpid(child, &status, 0) == child && !status);
    DO(system("exit 3") == 3 << 8);
    FILE *said = popen("echo hello", "r");
    char line[16];
    DO(said && fgets(line, sizeof line, said) && !pclose(said));
    struct rlimit limit;
    struct rusage used;
    DO(!getrlimit(RLIMIT_NOFILE, &limit) && !getrusage(RUSAGE_SELF, &used) && sysconf(_SC_NPROCESSORS_ONLN) > 0);
    unsigned char random[16];
    DO(getrandom(random, sizeof random, 0) == sizeof random && !getentropy(random, sizeof random));
    puts("processes");
}

int main(void) {
    memory(), threads(), files(), sockets(), time_and_signals(), processes();
    return 0;
}
