// Secrets by name, opened for one request.
import type { Context } from '../../context.ts'
import { StepFailure } from './failure.ts'
import { selectSealed } from './secrets-store.ts'

/** What a secret is sealed for. */
export const aboutSecret = (org: number, name: string): string => `workflow_secret:${org}:${name}`

/** Every secret that templates somewhere in a config may read. */
const namesIn = (config: object): string[] => [
  ...new Set(
    [...JSON.stringify(config).matchAll(/\bsecrets\.([A-Z][A-Z0-9_]*)/g)].map(([, name = '']) => name),
  ),
]

/** @throws StepFailure naming what is not there; UnreadableSecret */
export async function openSecrets(
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
  org: number,
  config: object,
): Promise<Record<string, string>> {
  const names = namesIn(config)
  if (names.length === 0) return {}
  const sealed = await selectSealed(db, org, names)
  const missing = names.filter((name) => !sealed.some((one) => one.name === name))
  if (missing.length > 0)
    throw new StepFailure(`There is no secret ${missing.join(', ')}: enter it in the settings of workflows.`)
  return Object.fromEntries(
    sealed.map(({ name, value }) => [name, secrets.open(value, aboutSecret(org, name))]),
  )
}
