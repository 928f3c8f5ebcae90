// Decrypts secrets by name for one request.
import type { WorkflowContext } from '../context.ts'
import { parseTemplate } from '../interpreter/template-syntax.ts'
import { selectSealed } from '../secrets/store.ts'
import { StepFailure } from './failure.ts'

/** The context with which a secret is encrypted. */
export const aboutSecret = (org: number, name: string): string => `workflow_secret:${org}:${name}`

/** Names of secrets in the templates of a text, in any notation. */
function* namesInText(text: string): Generator<string> {
  for (const piece of parseTemplate(text).pieces ?? []) {
    if (typeof piece === 'string') continue
    for (const operand of [piece.head, ...piece.calls.flatMap(({ args }) => args)]) {
      const [root, name] = 'path' in operand ? operand.path : []
      if (root === 'secrets' && name !== undefined) yield String(name)
    }
  }
}

/** Names of all secrets that the templates of a config read. */
function* namesIn(config: unknown): Generator<string> {
  if (typeof config === 'string') yield* namesInText(config)
  else if (typeof config === 'object' && config !== null)
    for (const inner of Object.values(config)) yield* namesIn(inner)
}

/** @throws StepFailure naming a missing secret; UnreadableSecret */
export async function openSecrets(
  { db, secrets }: Pick<WorkflowContext, 'db' | 'secrets'>,
  org: number,
  config: object,
): Promise<Record<string, string>> {
  const names = [...new Set(namesIn(config))]
  if (names.length === 0) return {}
  const sealed = await selectSealed(db, org, names)
  const missing = names.filter((name) => !sealed.some((one) => one.name === name))
  if (missing.length > 0)
    throw new StepFailure(`There is no secret ${missing.join(', ')}: add it in the settings of workflows.`)
  return Object.fromEntries(
    sealed.map(({ name, value }) => [name, secrets.open(value, aboutSecret(org, name))]),
  )
}
