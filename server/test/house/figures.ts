// Figures about the structure of the code, which `npm run house` prints.
import { basename, dirname, extname } from 'node:path'
import type { Module } from '../imports.ts'
import { floorsOf, type Imports, largestCircle } from './folders.ts'

export interface Figure {
  what: string
  value: number
  /** The counted items, one per line. */
  details: readonly string[]
}

const ROOM = /^server\/([^/]+)\//
const roomOf = (file: string): string | undefined => ROOM.exec(file)?.[1]
const linesOf = ({ text }: Module): number => text.split('\n').length - 1

export function importsOfRooms(
  source: readonly Module[],
  { withContext }: { withContext: boolean },
): Imports {
  const found = new Map<string, Map<string, number>>()
  const nameOf = (file: string) =>
    roomOf(file) ?? (withContext && file.startsWith('server/') ? file : undefined)
  for (const { file, imports } of source) {
    const from = nameOf(file)
    if (from === undefined) continue
    const counts = found.get(from) ?? new Map<string, number>()
    found.set(from, counts)
    for (const to of imports.map(nameOf))
      if (to !== undefined && to !== from) counts.set(to, (counts.get(to) ?? 0) + 1)
  }
  return found
}

function circle(source: readonly Module[]): Figure {
  const all = largestCircle(importsOfRooms(source, { withContext: true })).filter(
    (name) => !name.includes('/'),
  )
  return {
    what: 'folders in the largest circle, over files such as context.ts',
    value: all.length,
    details: all,
  }
}

function floors(source: readonly Module[]): Figure[] {
  const { floors: count, upward } = floorsOf(importsOfRooms(source, { withContext: false }))
  return [
    { what: 'floors of server/', value: count, details: [] },
    { what: 'pairs of folders of which the lower imports the higher', value: upward.length, details: upward },
  ]
}

function loose(source: readonly Module[]): Figure[] {
  const files = source.filter(({ file }) => dirname(file) === 'server')
  const lines = files.reduce((sum, one) => sum + linesOf(one), 0)
  return [
    { what: 'files directly in server/', value: files.length, details: files.map(({ file }) => file) },
    { what: 'their lines', value: lines, details: [] },
  ]
}

const CONTEXT = 'server/context.ts'
const FIELDS = /^export interface Context\b[^{]*\{\n(.*?)\n\}/ms

function context(source: readonly Module[]): Figure[] {
  const text = source.find(({ file }) => file === CONTEXT)?.text ?? ''
  const body = FIELDS.exec(text)?.[1] ?? ''
  const fields = [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(<]/gm)].map(([, name = '']) => name)
  const importers = source.filter(({ imports }) => imports.includes(CONTEXT)).map(({ file }) => file)
  return [
    { what: 'fields of Context, on top of the parts of folders', value: fields.length, details: fields },
    { what: 'files that import context.ts', value: importers.length, details: importers },
  ]
}

const SHORT_LINES = 25

function singlyImported(source: readonly Module[]): Figure[] {
  const importers = new Map<string, number>()
  for (const { imports } of source)
    for (const to of new Set(imports)) importers.set(to, (importers.get(to) ?? 0) + 1)
  const single = source.filter(({ file }) => importers.get(file) === 1)
  const short = single.filter((one) => linesOf(one) < SHORT_LINES)
  return [
    { what: `files with one importer, of ${source.length}`, value: single.length, details: [] },
    {
      what: `of these with fewer than ${SHORT_LINES} lines`,
      value: short.length,
      details: short.map(({ file }) => file),
    },
  ]
}

const EXPORTED = /^export (?:async )?(?:const|function\*?|class|interface|type|enum) (\w+)/gm

const ROUTES = /^export const \w+Routes = \{\n(.*?)^\}/gms

/** Operations of the API: the dashboard's request, the rules and the statement have the same name as the route. */
const operationsOf = (source: readonly Module[]): Set<string> =>
  new Set(
    source
      .filter(({ file }) => file.startsWith('contract/'))
      .flatMap(({ text }) => [...text.matchAll(ROUTES)])
      .flatMap(([, routes = '']) => [...routes.matchAll(/^ {2}(\w+): /gm)])
      .map(([, name = '']) => name),
  )

const fileNameOf = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, '$1-$2').toLowerCase()

/**
 * Whether a name is an entry of a registry, such as a type of attributes: each part (contract, server, dashboard) has
 * one file for the entry, and the file has the name of its export.
 */
const isOfRegistry = (name: string, files: ReadonlySet<string>): boolean =>
  [...files].every((file) => basename(file, extname(file)) === fileNameOf(name))

function sharedNames(source: readonly Module[]): Figure[] {
  const files = new Map<string, Set<string>>()
  for (const { file, text } of source)
    for (const [, name = ''] of text.matchAll(EXPORTED)) {
      const known = files.get(name) ?? new Set<string>()
      files.set(name, known.add(file))
    }
  const several = [...files]
    .filter(([, { size }]) => size > 1)
    .sort((one, other) => other[1].size - one[1].size)
  const operations = operationsOf(source)
  const ambiguous = several.filter(([name, found]) => !operations.has(name) && !isOfRegistry(name, found))
  const figure = (what: string, names: typeof several): Figure => ({
    what,
    value: names.length,
    details: names.map(([name, { size }]) => `${name} (${size})`),
  })
  const isOutside = ([, found]: [string, Set<string>]) =>
    [...found].filter((file) => !file.startsWith('dashboard/')).length > 1
  return [
    figure('exported names that several files declare', several),
    figure('of these neither an operation of the API nor an entry of a registry', ambiguous),
    figure('of these declared by several files outside the dashboard', ambiguous.filter(isOutside)),
  ]
}

/** @param source without tests */
export function figuresOf(source: readonly Module[]): Figure[] {
  const product = source.filter(({ file }) => !file.startsWith('bench/'))
  const lines = product.reduce((sum, one) => sum + linesOf(one), 0)
  return [
    ...floors(source),
    circle(source),
    ...loose(source),
    ...context(source),
    ...singlyImported(product),
    ...sharedNames(product),
    { what: 'lines of code without tests and benches', value: lines, details: [] },
  ]
}
