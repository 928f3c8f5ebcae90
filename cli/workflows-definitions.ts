// rapport workflows put, get, list, validate, delete: definitions of workflows.
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { Problem } from '../contract/errors.ts'
import { AppError } from '../server/base/errors.ts'
import { parseJson } from '../server/base/json.ts'
import type { WorkflowRow } from '../server/workflows/store.ts'
import { type OrgOptions, orgCommand } from './organization.ts'
import { JSON_OUTPUT, print, table } from './output.ts'
import { WORKFLOW, withCaller, workflowOf } from './workflow-reference.ts'

interface FileOptions extends OrgOptions {
  file: string
}

const files = () => import('../server/workflows/files.ts')

/** `-` is standard input. @throws MalformedJson */
const readJson = async (file: string): Promise<unknown> =>
  parseJson(file === '-' ? await text(process.stdin) : await readFile(file, 'utf8'))

/** Prints one line for each problem, so that editors can jump to it. */
function complain(problems: readonly Problem[]): void {
  for (const { path, message } of problems) process.stderr.write(`${path || '(file)'}: ${message}\n`)
}

/** Prints all problems of a file, instead of one line with the first few. @throws errors without a list of problems */
function complainOf(error: unknown): void {
  const problems = error instanceof AppError ? error.details?.['errors'] : undefined
  if (!Array.isArray(problems)) throw error
  complain(problems as Problem[])
  process.exitCode = 1
}

async function put(options: FileOptions & { enable?: true }): Promise<void> {
  const input = await readJson(options.file)
  const { putWorkflow } = await files()
  const enable = options.enable === true
  await withCaller(options, ({ ctx }, caller) => putWorkflow(ctx, caller, input, { enable })).then(
    ({ id, version, problems }) => {
      complain(problems)
      print(options, { id, version }, () => [
        `Workflow ${id} is at version ${version}.`,
        ...(problems.length > 0 ? ['It cannot be enabled until its definition is complete.'] : []),
      ])
    },
    complainOf,
  )
}

async function validate(options: FileOptions): Promise<void> {
  const input = await readJson(options.file)
  const { fileProblems } = await files()
  const problems = await withCaller(options, ({ ctx }, caller) => fileProblems(ctx.db, caller, input))
  if (!options.json) complain(problems)
  print(options, { problems }, () =>
    problems.length === 0 ? ['It can be enabled.'] : [`${problems.length} found.`],
  )
  if (problems.length > 0) process.exitCode = 1
}

async function get(ref: string, options: OrgOptions): Promise<void> {
  const { fileOf } = await files()
  const workflow = await withCaller(options, (session, caller) => workflowOf(session, caller, ref))
  const file = fileOf(workflow)
  print(options, file, () => [JSON.stringify(file, null, 2)])
}

const row = (workflow: WorkflowRow): string[] => [
  workflow.id,
  workflow.name,
  workflow.enabled ? 'enabled' : 'disabled',
  workflow.trigger,
  workflow.object?.slug ?? '',
  String(workflow.version),
]

const HEADINGS = ['ID', 'NAME', 'STATE', 'TRIGGER', 'OBJECT', 'VERSION']

async function list(options: OrgOptions): Promise<void> {
  const { selectWorkflows } = await import('../server/workflows/store.ts')
  const found = await withCaller(options, ({ ctx }, { org }) => selectWorkflows(ctx.db, org))
  const shown = found.map(({ definition: _, obj: __, micros: ___, ...workflow }) => workflow)
  print(options, { workflows: shown }, () =>
    table(HEADINGS, found.map(row), 'No workflows yet: rapport workflows put --help'),
  )
}

async function remove(ref: string, options: OrgOptions & { yes?: true }): Promise<void> {
  if (!options.yes)
    throw new Error('This deletes the workflow, its versions and its runs permanently: confirm with --yes')
  const { deleteWorkflow } = await import('../server/workflows/service.ts')
  const id = await withCaller(options, async (session, caller) =>
    deleteWorkflow(session.ctx, caller.org, (await workflowOf(session, caller, ref)).id),
  )
  print(options, { id, deleted: true }, () => [`Workflow ${id} deleted.`])
}

const FILE = ['--file <path>', 'JSON as the guide describes it; - is standard input'] as const

const putCommand = () =>
  orgCommand('put', 'Create a workflow from a file, or update the one of its id or name')
    .requiredOption(...FILE)
    .option('--enable', 'enable it, even if the file says otherwise')
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      `
Problems that prevent enabling it are printed line by line, each with its path in the file. With "enabled": true or
--enable nothing is saved then, and the exit code is 1.

Examples:
  $ rapport workflows put --org acme --file thanks.json --enable
  $ rapport workflows get "Say thanks" --org acme > thanks.json`,
    )
    .action(put)

const validateCommand = () =>
  orgCommand('validate', 'Check a file without saving it')
    .requiredOption(...FILE)
    .option(...JSON_OUTPUT)
    .addHelpText('after', '\nExamples:\n  $ rapport workflows validate --org acme --file thanks.json')
    .action(validate)

const getCommand = () =>
  orgCommand('get', 'Print a workflow as a file')
    .argument(...WORKFLOW)
    .option(...JSON_OUTPUT)
    .addHelpText('after', '\nExamples:\n  $ rapport workflows get "Say thanks" --org acme > thanks.json')
    .action(get)

const listCommand = () =>
  orgCommand('list', 'List the workflows of an organization')
    .option(...JSON_OUTPUT)
    .addHelpText('after', '\nExamples:\n  $ rapport workflows list --org acme')
    .action(list)

const deleteCommand = () =>
  orgCommand('delete', 'Delete a workflow with all its runs; open runs are cancelled')
    .argument(...WORKFLOW)
    .option('--yes', 'confirm the deletion')
    .option(...JSON_OUTPUT)
    .addHelpText('after', '\nExamples:\n  $ rapport workflows delete "Say thanks" --org acme --yes')
    .action(remove)

export const definitionCommands = (): Command[] => [
  putCommand(),
  getCommand(),
  listCommand(),
  validateCommand(),
  deleteCommand(),
]
