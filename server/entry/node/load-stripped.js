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

/** Where an import by a path leads: Node would look for the file on the disk, for each import again. */
function followPath(path, context, next) {
  const href = URL.parse(path, context.parentURL)?.href ?? ''
  const isOfPackage = href.endsWith('.mjs') && context.parentURL.includes('/node_modules/')
  const isKnown = isOfPackage || stored.modules[pathOf(href)] !== undefined
  return isKnown ? { url: href, shortCircuit: true } : next(path, context)
}

/** Packages by the name that stored modules import them by. */
const packages = new Map()

/** For each module that imports a package, Node would look for it in every folder above that module. */
function findPackage(name, context, next) {
  const isStored = stored.modules[pathOf(context.parentURL)] !== undefined
  if (!isStored || !context.conditions.includes('import')) return next(name, context)
  const found = packages.get(name) ?? { ...next(name, context), shortCircuit: true }
  packages.set(name, found)
  return found
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
    if (context.parentURL === undefined) return next(specifier, context)
    return (specifier.startsWith('.') ? followPath : findPackage)(specifier, context, next)
  },
  load(url, context, next) {
    const source = url.endsWith('.ts') ? take(url) : undefined
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true }
  },
})
