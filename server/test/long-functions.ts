// Asks Biome which functions are too long.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { root } from './imports.ts'

const LONG_FUNCTIONS = 'lint/complexity/noExcessiveLinesPerFunction'

interface Finding {
  category: string
  location: { path: string }
}

/** Files with a function that is longer than the rule in biome.json allows. */
export async function withLongFunctions(path: string): Promise<string[]> {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const rule = `--only=${LONG_FUNCTIONS.replace('lint/', '')}`
  const args = [biome, 'lint', rule, '--config-path', root, '--reporter=json', '--max-diagnostics=none', path]
  const { promise, resolve: done } = Promise.withResolvers<string>()
  // Biome exits with 1 if it finds something, which is not an error here.
  execFile(process.execPath, args, { cwd: root, maxBuffer: 1e8 }, (_, stdout) => done(stdout))
  const { diagnostics } = JSON.parse(await promise) as { diagnostics: Finding[] }
  return diagnostics
    .filter(({ category }) => category === LONG_FUNCTIONS)
    .map(({ location }) => location.path)
}
