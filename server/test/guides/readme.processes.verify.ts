// Runs the commands of README.md in a shell: the service with its demo organization, the requests, the command line.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blockWith, openShell, replaced, until } from './shell.ts'

const ONBOARD = {
  ...{ name: 'Onboard', trigger: 'manual', triggerConfig: { objectId: 'deals' } },
  steps: [{ key: 'done', type: 'stop', config: {} }],
}
const README = '../../README'
const shell = await openShell({ RAPPORT_DEMO: 'on' })
const place = (name: string) => join(shell.folder, name)

/** The key that the first start prints once, when the demo organization is ready. */
async function printedKey(): Promise<string> {
  let key = ''
  const isPrinted = async () => {
    key = /svc_[\w-]+/.exec(await readFile(place('log'), 'utf8'))?.[0] ?? ''
    return key !== ''
  }
  await until(isPrinted, 'the demo organization is ready')
  return key
}

/** The commands of the block that match `begin`. */
const commandsWith = (block: string, begin: RegExp): string =>
  block
    .split('\n')
    .filter((line) => begin.test(line))
    .join('\n')

test('the requests work in a program, and the commands work on the command line', async () => {
  await shell.start('npm start\n')
  const requests = replaced(blockWith(README, 'export API'), {
    'http://127.0.0.1:3000': '"http://127.0.0.1:$PORT"',
    'svc_…': await printedKey(),
  })
  const answers = await shell.run(requests)
  expect(answers).toMatch(/"total":[1-9]/)
  const created = ['"Lovelace"', '"ada@example.com"', '"pluralName":"Projects"', '"slug":"budget"']
  for (const part of created) expect(answers).toContain(part)

  const [{ slug: demo = '' } = {}] = JSON.parse(await shell.run('command npx rapport org list --json')) as {
    slug?: string
  }[]
  const commands = blockWith(README, 'org create')
  await shell.run(replaced(commandsWith(commands, /rapport org /), { '…': 'correct horse 41' }))
  // The files that the README expects: a picture, a workflow, and a report, here one of the demo organization.
  await shell.run(`cp docs/images/home.png '${place('logo.png')}'`)
  await writeFile(place('onboard.json'), JSON.stringify(ONBOARD))
  const report = await shell.run(`npx rapport reports get --org ${demo} --report 'Won by month'`)
  const { id: _, ...definition } = JSON.parse(report) as { id: string }
  await writeFile(place('report.json'), JSON.stringify(definition))
  await shell.run(`npx rapport reports put --org acme --file '${place('report.json')}'`)
  // Excludes `listen`, which does not end by itself, and the restore, which the test of the backup guide runs.
  const others = commandsWith(
    commands,
    /rapport (?:keys|import|export|seed|files|webhooks|workflows|reports|status|doctor|backup)\b/,
  )
  const printed = await shell.run(
    replaced(others, {
      'companies.ndjson': place('companies.ndjson'),
      '100000': '300',
      'logo.png': place('logo.png'),
      'onboard.json': place('onboard.json'),
      '/mnt/backups/rapport': place('backups'),
    }),
  )
  for (const part of [/^svc_/m, /300 /, /^Rapport \S+, process /m, /^ok +database /m, /^Backup \S+: /m])
    expect(printed).toMatch(part)
})
