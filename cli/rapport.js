#!/usr/bin/env node
// Starts the command line under the service's own Node, not the machine's.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const pathTo = (path) => fileURLToPath(new URL(path, import.meta.url))
const node = pathTo('../node_modules/.bin/node')
const loader = new URL('../server/entry/node/load-stripped.js', import.meta.url)

if (!existsSync(node)) {
  console.error(`rapport: ${node} is missing: run npm ci in ${pathTo('..')}`)
  process.exit(1)
}

const child = spawn(node, [`--import=${loader.href}`, pathTo('main.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    // A terminal sends Ctrl+C to both processes: passing it on would make it two.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  })

child.on('error', (error) => {
  console.error(`rapport: ${error.message}`)
  process.exitCode = 1
})
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal]
})
