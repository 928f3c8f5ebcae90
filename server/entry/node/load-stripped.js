// Given to Node by --import: loads the service's modules without their types, from what stripped-sources.ts has stored.
//
// Node's own compiler for types takes 25 MB for as long as the process lives. What is not stored, or has changed
// since, is left to it. Plain JavaScript, because that compiler would be loaded for this file too.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('../../..', import.meta.url).href

/** Path in the checkout → hash of the source, and the source without types. */
function readStored() {
  try {
    const path = new URL('../../../node_modules/.cache/rapport/sources.json', import.meta.url)
    return new Map(Object.entries(JSON.parse(readFileSync(path, 'utf8'))))
  } catch {
    return new Map()
  }
}

const stored = readStored()

/** @returns undefined for what has to be compiled */
function take(url) {
  if (!url.startsWith(ROOT)) return undefined
  const path = url.slice(ROOT.length)
  const found = stored.get(path)
  if (found === undefined) return undefined
  // Each module is loaded once: its text is not kept beside the compiled code.
  stored.delete(path)
  const [fingerprint, code] = found
  const source = readFileSync(fileURLToPath(url), 'utf8')
  return hash('sha256', process.version + source) === fingerprint ? code : undefined
}

registerHooks({
  load(url, context, next) {
    const source = url.endsWith('.ts') ? take(url) : undefined
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true }
  },
})
