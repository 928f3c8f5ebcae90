// rapport workflows secrets: values that HTTP requests of workflows use by name. A value is never an argument, because
// all users of the machine can read arguments.
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import { SECRET_VALUE_MAX } from '../contract/workflow-dashboard.ts'
import { SECRET_NAME_PATTERN } from '../contract/workflow-states.ts'
import { type OrgOptions, orgCommand } from './organization.ts'
import { JSON_OUTPUT, print, table } from './output.ts'
import { withCaller } from './workflow-reference.ts'

const service = () => import('../server/workflows/secrets/service.ts')

/** Reads a value without its final newline. */
async function readValue(file: string | undefined): Promise<string> {
  const content = file === undefined ? await text(process.stdin) : await readFile(file, 'utf8')
  const value = content.replace(/\r?\n$/, '')
  if (value === '') throw new Error('The value is empty: pass it on standard input')
  if (value.length > SECRET_VALUE_MAX)
    throw new Error(`The value is longer than ${SECRET_VALUE_MAX} characters: pass a shorter one`)
  return value
}

async function set(name: string, options: OrgOptions & { valueFile?: string }): Promise<void> {
  if (!new RegExp(SECRET_NAME_PATTERN).test(name))
    throw new Error('The name must be capital letters, digits and _, such as ERP_TOKEN')
  const value = await readValue(options.valueFile)
  const { putSecret } = await service()
  const secret = await withCaller(options, ({ ctx }, caller) => putSecret(ctx, caller, { name, value }))
  print(options, secret, () => [`Secret ${name} is set.`])
}

async function list(options: OrgOptions): Promise<void> {
  const { selectSecrets } = await import('../server/workflows/secrets/store.ts')
  const secrets = await withCaller(options, ({ ctx }, { org }) => selectSecrets(ctx.db, org))
  const rows = secrets.map(({ name, updatedAt, usedBy }) => [
    name,
    updatedAt,
    usedBy.map((workflow) => workflow.name).join(', '),
  ])
  print(options, { secrets }, () => table(['NAME', 'SET', 'USED BY'], rows, 'No secrets yet.'))
}

async function remove(name: string, options: OrgOptions): Promise<void> {
  const { deleteSecret } = await service()
  await withCaller(options, ({ ctx }, { org }) => deleteSecret(ctx, org, name))
  print(options, { name, deleted: true }, () => [`Secret ${name} removed.`])
}

const NAME = ['<name>', 'such as ERP_TOKEN'] as const

const setCommand = () =>
  orgCommand('set', 'Set or replace a secret; its value comes from a file or standard input')
    .argument(...NAME)
    .option('--value-file <path>', 'file that holds the value (default: standard input)')
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      `
Examples:
  $ rapport workflows secrets set ERP_TOKEN --org acme --value-file token.txt
  $ pass show erp | rapport workflows secrets set ERP_TOKEN --org acme`,
    )
    .action(set)

const listCommand = () =>
  orgCommand('list', 'List secrets by name, and the workflows that use them')
    .option(...JSON_OUTPUT)
    .addHelpText('after', '\nExamples:\n  $ rapport workflows secrets list --org acme')
    .action(list)

const removeCommand = () =>
  orgCommand('remove', 'Remove a secret: requests that use it fail from then on')
    .argument(...NAME)
    .option(...JSON_OUTPUT)
    .addHelpText('after', '\nExamples:\n  $ rapport workflows secrets remove ERP_TOKEN --org acme')
    .action(remove)

export const secretsCommand = (): Command =>
  new Command('secrets')
    .description('Secrets that HTTP requests of workflows use by name')
    .addCommand(setCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand())
    .addHelpText('after', '\nExamples:\n  $ rapport workflows secrets list --org acme')
