// What each source file imports.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Module {
  file: string
  text: string
  /** Files by their path from the repository root, packages by name. */
  imports: string[]
}

// Biome formats all imports alike: the keyword is at the start of a line, the name in single quotes.
const IMPORT = /(?:^(?:import|export)\b[^'";]*?from |^import |\bimport\()'([^']+)'/gm
const WORKER = /new Worker\(new URL\('([^']+)', import\.meta\.url\)/g

function readModule(file: string): Module {
  const text = readFileSync(join(root, file), 'utf8')
  const named = [...text.matchAll(IMPORT), ...text.matchAll(WORKER)].map(([, name = '']) => name)
  return {
    file,
    text,
    imports: named.map((name) => (name.startsWith('.') ? join(dirname(file), name) : name)),
  }
}

export const modules = globSync('{contract,server,cli,bench,dashboard}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['dashboard/dist*/**'],
}).map(readModule)

export const isTest = (file: string): boolean =>
  /\.test\.tsx?$|\.verify\.ts$|\.fixture\.ts$|-fixture\.ts$|fixture-process\.ts$|^server\/test\/|^dashboard\/e2e\//.test(
    file,
  )

/** Files that import themselves, directly or through other files. */
export function filesInCircles(all: readonly Module[]): string[] {
  const importsOf = new Map(all.map(({ file, imports }) => [file, imports]))
  const isInCircle = ({ file, imports }: Module) => {
    const reached = new Set(imports)
    for (const one of reached) for (const next of importsOf.get(one) ?? []) reached.add(next)
    return reached.has(file)
  }
  return all.filter(isInCircle).map(({ file }) => file)
}
