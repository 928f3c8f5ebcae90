// Given to Node by --import, and imported by the command line: loads modules without their types, from what
// stripped-sources.ts has stored.
//
// Node's own compiler for types takes 25 MB for as long as the process lives. What is not stored, or has changed
// since, is left to it. Plain JavaScript, because that compiler would be loaded for this file too.
import { hash } from 'node:crypto'
import { openSync, readFileSync, readSync, statSync } from 'node:fs'
import { registerHooks } from 'node:module'

const ROOT = new URL('../../..', import.meta.url).href
const FOLDER = new URL('../../../node_modules/.cache/rapport/', import.meta.url)

/** The index of the stored modules, and the open file with their code. */
function openStored() {
  try {
    const index = JSON.parse(readFileSync(new URL('stripped.json', FOLDER), 'utf8'))
    if (index.version === process.version) return { ...index, file: openSync(new URL(index.code, FOLDER)) }
  } catch {
    // Nothing is stored yet.
  }
  return { stamps: {}, modules: {} }
}

const stored = openStored()

function isUnchanged(source, [modifiedMs, bytes]) {
  const { mtimeMs, size } = statSync(source)
  return mtimeMs === modifiedMs && size === bytes
}

const pathOf = (url) => (url.startsWith(ROOT) ? url.slice(ROOT.length) : '')

/** Where an import leads that names its file by a path: Node would look for it on the disk, for each import again. */
function follow(specifier, parent) {
  if (!specifier.startsWith('.') || parent === undefined) return undefined
  const { href } = new URL(specifier, parent)
  const isOfPackage = href.endsWith('.mjs') && parent.includes('/node_modules/')
  return isOfPackage || stored.modules[pathOf(href)] !== undefined ? href : undefined
}

/** @returns undefined for what has to be compiled */
function take(url) {
  const path = pathOf(url)
  const [fingerprint, start, end] = stored.modules[path] ?? []
  if (fingerprint === undefined) return undefined
  const source = new URL(url)
  // A copy of the checkout, as in an image, has other times.
  if (!isUnchanged(source, stored.stamps[path]) && hash('sha256', readFileSync(source)) !== fingerprint)
    return undefined
  const code = Buffer.allocUnsafe(end - start)
  return readSync(stored.file, code, 0, code.length, start) === code.length ? code : undefined
}

registerHooks({
  resolve(specifier, context, next) {
    const url = follow(specifier, context.parentURL)
    return url === undefined ? next(specifier, context) : { url, shortCircuit: true }
  },
  load(url, context, next) {
    const source = url.endsWith('.ts') ? take(url) : undefined
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true }
  },
})
