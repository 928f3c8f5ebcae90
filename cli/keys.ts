// rapport keys: manages the API keys of an organization. The command acts as its first owner.
import { Command, Option } from 'commander'
import type { ApiKey, CreatedApiKey } from '../contract/api-keys.ts'
import { AppError } from '../server/base/errors.ts'
import { createKey, deleteKey, listKeys } from '../server/identity/api-keys/service.ts'
import { getFirstOwner } from '../server/identity/members/store.ts'
import { getOrganization, type OrgOptions, orgCommand } from './organization.ts'
import { JSON_OUTPUT, print, table } from './output.ts'
import { withSession } from './session.ts'

interface CreateOptions extends OrgOptions {
  name: string
  fullAccess?: true
  scopes?: string
  expiresAt?: string
  rateLimit?: string
}

interface DeleteOptions extends OrgOptions {
  id: string
  confirmName: string
}

/** null for full access */
function scopesOf({ fullAccess, scopes }: CreateOptions): string[] | null {
  if (fullAccess) return null
  if (scopes !== undefined) return scopes.split(',').map((scope) => scope.trim())
  throw new AppError('validation_error', 'Choose what the key can do: --full-access, or --scopes a,b,c')
}

function makeKey(options: CreateOptions): Promise<CreatedApiKey> {
  const { name, expiresAt, rateLimit } = options
  const scopes = scopesOf(options)
  return withSession(async ({ ctx }) => {
    const { org, id } = await getOrganization(ctx.directory, options.org)
    return createKey(ctx, org, {
      name,
      scopes,
      ...(expiresAt !== undefined && { expiresAt }),
      ...(rateLimit !== undefined && { rateLimit: Number(rateLimit) }),
      createdBy: await getFirstOwner(ctx.directory, id),
    })
  })
}

async function create(options: CreateOptions): Promise<void> {
  const { id, key, prefix } = await makeKey(options)
  print(options, { id, key, prefix }, () => [key, 'Save it now: it is not shown again.'])
}

const row = (key: ApiKey): string[] => [
  key.prefix,
  key.name,
  key.id,
  key.scopes?.join(',') ?? 'full access',
  key.expiresAt ?? 'never',
  key.rateLimit?.toString() ?? 'default',
  key.lastUsedAt ?? 'never',
  key.createdAt,
  key.createdBy.email,
]

const HEADINGS = ['KEY', 'NAME', 'ID', 'SCOPES', 'EXPIRES', 'RATE', 'LAST USED', 'CREATED', 'BY']

async function list(options: OrgOptions): Promise<void> {
  const keys = await withSession(async ({ ctx }) => {
    const { org } = await getOrganization(ctx.directory, options.org)
    return listKeys(ctx, org)
  })
  print(options, keys, () => table(HEADINGS, keys.map(row), 'No keys yet: rapport keys create --help'))
}

async function remove(options: DeleteOptions): Promise<void> {
  const { id, confirmName } = options
  await withSession(async ({ ctx }) => {
    const { org } = await getOrganization(ctx.directory, options.org)
    await deleteKey(ctx, org, { id, confirmName })
  })
  print(options, { id, deleted: true }, () => [`Key "${confirmName}" deleted: it is no longer accepted.`])
}

const CREATE_EXAMPLES = `
Examples:
  $ rapport keys create --org acme --name "Import" --full-access
  $ rapport keys create --org acme --name "Website forms" --scopes records:read,records:write \\
      --expires-at 2030-01-31T00:00:00Z --rate-limit 600 --json`

const createCommand = () =>
  orgCommand('create', 'Create an API key and show it once')
    .requiredOption('--name <name>', 'what the key is for')
    .addOption(new Option('--full-access', 'every scope').conflicts('scopes'))
    .option('--scopes <list>', 'scopes of the key, separated by commas')
    .option('--expires-at <timestamp>', 'ISO 8601, in the future (default: never)')
    .option('--rate-limit <number>', 'requests per minute (default: the installation’s)')
    .option(...JSON_OUTPUT)
    .addHelpText('after', CREATE_EXAMPLES)
    .action(create)

const listCommand = () =>
  orgCommand('list', 'List the API keys of an organization')
    .option(...JSON_OUTPUT)
    .addHelpText('after', '\nExamples:\n  $ rapport keys list --org acme')
    .action(list)

const DELETE_EXAMPLES = `
The command ends when no process accepts the key, after about a second.

Examples:
  $ rapport keys delete --org acme --id 0198c0de-0000-7000-8000-000000000001 --confirm-name "Website forms"`

const deleteCommand = () =>
  orgCommand('delete', 'Delete an API key permanently')
    .requiredOption('--id <id>', 'id of the key')
    .requiredOption('--confirm-name <name>', 'its exact name')
    .option(...JSON_OUTPUT)
    .addHelpText('after', DELETE_EXAMPLES)
    .action(remove)

export const keysCommand = (): Command =>
  new Command('keys')
    .description('Create, list and delete API keys')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(deleteCommand())
    .addHelpText('after', '\nExamples:\n  $ rapport keys list --org acme\n  $ rapport keys create --help')
