// Who made a change, as histories show it.
import type { History } from '../../../contract/history.ts'

type Author = Pick<History['entries'][number], 'actor' | 'apiKey' | 'workflow'>

/** "Ada Lovelace (key Sync)", "Workflow “Welcome”". */
export function changeAuthor({ actor, apiKey, workflow }: Author): string {
  if (workflow) return workflow.name === null ? 'A deleted workflow' : `Workflow “${workflow.name}”`
  const name = actor ? actor.name || actor.email || 'A user' : 'Rapport'
  return apiKey ? `${name} (key ${apiKey.name ?? 'deleted'})` : name
}
