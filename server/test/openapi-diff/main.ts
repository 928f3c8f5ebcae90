// npm run openapi:diff -- <commit>: prints the differences between the API document of a commit and that of this tree,
// and fails if a difference is not an addition.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OpenApiDocument } from '../../http/openapi/document.ts'
import { additionsTo, lossesOf } from './compare.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const BYTES_MAX = 256 * 1024 * 1024

/** A program that runs in the folder of a tree and uses its code. */
const PRINT = `
  import { apiDocument } from './server/http/openapi/api-document.ts'
  import { documentedBody } from './server/webhooks/examples.ts'
  process.stdout.write(JSON.stringify(apiDocument('https://crm.example.com', documentedBody)))`

function documentIn(folder: string): OpenApiDocument {
  const options = { cwd: folder, maxBuffer: BYTES_MAX, encoding: 'utf8' as const }
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', PRINT], options))
}

/** Unpacks the files of a commit, which use the packages of this tree. @throws if git does not know the commit */
function documentOf(commit: string): OpenApiDocument {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-openapi-'))
  try {
    const options = { cwd: ROOT, maxBuffer: BYTES_MAX }
    const files = execFileSync('git', ['archive', '--format=tar', commit], options)
    execFileSync('tar', ['--extract', `--directory=${folder}`], { input: files })
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    return documentIn(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const [commit] = process.argv.slice(2)
if (commit === undefined) {
  process.stderr.write('Name the commit to compare with: npm run openapi:diff -- v0.1.0\n')
  process.exitCode = 2
} else {
  const [before, now] = [documentOf(commit), documentIn(ROOT)]
  for (const at of additionsTo(before, now)) process.stdout.write(`new: ${at}\n`)
  const losses = lossesOf(before, now)
  for (const line of losses) process.stdout.write(`no addition: ${line}\n`)
  process.stdout.write(
    losses.length === 0 ? 'Additions only.\n' : `${losses.length} changes are no additions.\n`,
  )
  process.exitCode = losses.length === 0 ? 0 : 1
}
