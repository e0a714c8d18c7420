// httprouter's Lookup, without requests. It refuses a literal beside a parameter. The number of
// refused patterns is printed, and their URLs count as neither right nor wrong.
//
//	httprouter FILE SECONDS      one line of JSON
package main

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/julienschmidt/httprouter"
)

type visit struct {
	url        string
	route      int
	parameters [][2]string
}

// The index of the handler that was called last.
var served int

func handler(index int) httprouter.Handle {
	return func(http.ResponseWriter, *http.Request, httprouter.Params) { served = index }
}

// Reports whether the router took the pattern; it panics otherwise.
func add(router *httprouter.Router, pattern string, index int) (taken bool) {
	defer func() { taken = recover() == nil }()
	router.GET(pattern, handler(index))
	return true
}

func processorTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func heapKilobytes() uint64 {
	var statistics runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&statistics)
	return statistics.HeapAlloc / 1024
}

func read(path string) (patterns []string, visits []visit, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Split(lines.Text(), "\t")
		if fields[0] == "P" {
			patterns = append(patterns, fields[2])
			continue
		}
		route, err := strconv.Atoi(fields[2])
		if err != nil {
			return nil, nil, err
		}
		next := visit{url: fields[1], route: route}
		for _, pair := range strings.Split(fields[3], "&") {
			if name, value, found := strings.Cut(pair, "="); found {
				next.parameters = append(next.parameters, [2]string{name, value})
			}
		}
		visits = append(visits, next)
	}
	return patterns, visits, nil
}

func isRight(router *httprouter.Router, it visit) bool {
	handle, parameters, _ := router.Lookup("GET", it.url)
	if handle == nil {
		return it.route == -1
	}
	handle(nil, nil, nil)
	if served != it.route || len(parameters) != len(it.parameters) {
		return false
	}
	for _, pair := range it.parameters {
		// A wildcard's value begins with the slash before it.
		if strings.TrimPrefix(parameters.ByName(pair[0]), "/") != pair[1] {
			return false
		}
	}
	return true
}

func main() {
	if len(os.Args) != 3 {
		fmt.Println("usage: httprouter FILE SECONDS")
		os.Exit(64)
	}
	patterns, visits, err := read(os.Args[1])
	seconds, wrongSeconds := strconv.ParseFloat(os.Args[2], 64)
	if err != nil || wrongSeconds != nil {
		fmt.Println(err, wrongSeconds)
		os.Exit(66)
	}
	taken := make([]bool, len(patterns))
	heap := heapKilobytes()
	start := processorTime()
	router := httprouter.New()
	rejected := 0
	for index, pattern := range patterns {
		taken[index] = add(router, pattern, index)
		if !taken[index] {
			rejected++
		}
	}
	build := processorTime() - start
	memory := heapKilobytes() - heap

	wrong := 0
	for _, it := range visits {
		if it.route >= 0 && taken[it.route] && !isRight(router, it) {
			wrong++
		}
		if it.route < 0 && rejected == 0 && !isRight(router, it) {
			wrong++
		}
	}

	limit := time.Duration(seconds * float64(time.Second))
	matched, found := 0, 0
	var used time.Duration
	for start = processorTime(); used < limit; used = processorTime() - start {
		for _, it := range visits {
			if handle, _, _ := router.Lookup("GET", it.url); handle != nil {
				found++
			}
		}
		matched += len(visits)
	}
	fmt.Printf(`{"peer":"httprouter (Go)","build_ms":%.2f,"ns_match":%.2f,"rss_kb":%d,`+
		`"wrong":%d,"rejected":%d}`+"\n",
		float64(build)/1e6, float64(used)/float64(matched), memory, wrong, rejected)
	runtime.KeepAlive(found)
}
