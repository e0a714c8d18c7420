"""The common parts of all benchmarks: paths, building, running, and reading results."""
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PEERS = os.path.join(ROOT, "scripts", "peers")
OUT = os.path.join(ROOT, ".build", "peers")
RELEASE = os.path.join(ROOT, "scripts", "release")
BENCH = os.path.join(ROOT, ".build", "release", "MoonBench")
DEBUG = os.path.join(ROOT, ".build", "debug", "MoonBench")
STRIPPED = os.path.join(OUT, "MoonBench")


def run(command, **more):
    environment = dict(os.environ, **{k: str(v) for k, v in more.items()})
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


def setup(what, check=True):
    command = [os.path.join(ROOT, "scripts", "setup"), what]
    return subprocess.run(command, check=check).returncode == 0


def build(debug=False):
    print(f"building ({'debug' if debug else 'release'}) …", file=sys.stderr)
    command = ["swift", "build"] if debug else [RELEASE]
    subprocess.run([*command, "--product", "MoonBench"], check=True, stdout=sys.stderr, cwd=ROOT)
    os.makedirs(OUT, exist_ok=True)
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", os.path.join(PEERS, "c", "fixtime.c"), "-o",
                    os.path.join(OUT, "fixtime.so")], check=True)


def build_peers():
    flags = run(["pkg-config", "--cflags", "--libs", "lua5.4"]).stdout.split()
    for name in ("bench_chost", "bench_proxy", "inotify_lat"):
        subprocess.run(["gcc", "-O2", os.path.join(PEERS, "c", name + ".c"), "-o",
                        os.path.join(OUT, name), *flags, "-lpthread"], check=True)
    subprocess.run(["gcc", "-O2", os.path.join(PEERS, "c", "bench_curl.c"), "-o",
                    os.path.join(OUT, "bench_curl"), "-lcurl"], check=True)


def strip(bench=BENCH):
    # This valgrind can't read all of Swift's debug information.
    subprocess.run(["objcopy", "--strip-debug", bench, STRIPPED], check=True)


def lines(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def route_file(kind, count):
    path = os.path.join(OUT, f"routes-{kind}-{count}.tsv")
    if not os.path.exists(path):
        program = os.path.join(PEERS, "routes", "generate.py")
        subprocess.run([sys.executable, program, str(count), kind, path], check=True)
    return path
