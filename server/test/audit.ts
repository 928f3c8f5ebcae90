// npm run audit: checks production dependencies for advisories, and writes a bill of materials (sbom.cdx.json).
//
// Separate from the tests, because the result depends on the day. Many mirrors do not answer requests for advisories:
// this is reported and is not a failure.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { verdictOf } from './audit-verdict.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ANSWER_MS = 60_000
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024

/** @returns the output of npm with any exit code: findings and faults both give 1 */
function npm(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { cwd: ROOT, timeout: ANSWER_MS, maxBuffer: OUTPUT_BYTES_MAX }
    execFile('npm', args, options, (_error, stdout) => resolve(stdout))
  })
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function writeBillOfMaterials(): Promise<void> {
  const document = await npm(['sbom', '--sbom-format=cyclonedx', '--omit=dev'])
  if (document === '') return say('sbom: npm made none')
  await writeFile(new URL('../../sbom.cdx.json', import.meta.url), document)
  return say('sbom: sbom.cdx.json')
}

await writeBillOfMaterials()
const { lines, isClean } = verdictOf(
  await npm(['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000']),
)
for (const line of lines) say(`audit: ${line}`)
process.exitCode = isClean ? 0 : 1
