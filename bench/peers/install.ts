// npm install of one peer in its own folder.
import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Lab } from '../harness/lab.ts'
import { type PeerName, VERSIONS } from './versions.ts'

const INSTALL = [
  'install',
  '--ignore-scripts',
  '--prefer-offline',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
]
const TIMEOUT_MS = 600_000
const COMPLAINT_CHARS_MAX = 2000

function runNpm(lab: Lab, folder: string): Promise<void> {
  const npm = spawn('npm', INSTALL, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], timeout: TIMEOUT_MS })
  let complaint = ''
  npm.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, COMPLAINT_CHARS_MAX)
  })
  const ended = new Promise<number | string>((resolve) => {
    npm.once('error', (error) => resolve(error.message))
    npm.once('exit', (code, signal) => resolve(code ?? signal ?? ''))
  })
  lab.onClose(async () => {
    npm.kill('SIGKILL')
    await ended
  })
  return ended.then((how) => {
    if (how !== 0) throw new Error(`npm install failed (${how}): ${complaint.trim()}`)
  })
}

/** @returns the folder with its `node_modules` @throws Error with the output of npm */
export async function install(lab: Lab, name: PeerName): Promise<string> {
  const { dependencies, overrides = {} } = VERSIONS[name]
  const folder = join(lab.folder, name)
  await mkdir(join(folder, 'unused'), { recursive: true })
  const manifest = { name: `bench-${name}`, private: true, dependencies, overrides }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'unused', 'package.json'), '{"name":"unused","version":"0.0.0"}')
  await writeFile(join(folder, 'unused', 'index.js'), '')
  await runNpm(lab, folder)
  return folder
}
