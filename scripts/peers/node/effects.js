// Functions that wait once for setImmediate, a thousand at a time, on Node; or a server.
//
//   node effects.js once N    seconds of processor time
//   node effects.js serve     prints its URL, and answers requests until its input ends
const [what, count] = process.argv.slice(2)
const batch = 1000

async function once() { await new Promise((resolve) => setImmediate(resolve)) }

async function measure() {
  const begun = process.cpuUsage()
  for (let i = 0; i < Number(count) / batch; i++) {
    const all = []
    for (let k = 0; k < batch; k++) all.push(once())
    await Promise.all(all)
  }
  const used = process.cpuUsage(begun)
  console.log(JSON.stringify({
    peer: 'node', workload: 'once', n: Number(count), cpu_s: (used.user + used.system) / 1e6,
  }))
}

function serve() {
  const server = require('http').createServer((request, response) => response.end('hello'))
  server.listen(0, '127.0.0.1', () => console.log(`http://localhost:${server.address().port}/`))
  process.stdin.on('end', () => process.exit(0)).resume()
}

what === 'once' ? measure() : serve()
