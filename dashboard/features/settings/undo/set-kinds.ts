import {
  Braces,
  FileSpreadsheet,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Undo2,
  UserRound,
  UserRoundPen,
  Workflow,
} from 'lucide-react'
import { withNames } from '../../../../contract/mentions.ts'
import { beginningOf } from '../../../shared/beginning.ts'
import type { ChangeSet } from '../api/undo-jobs.ts'

interface Words {
  label: string
  /** The text for a change set without a name. */
  unnamed: string
  icon: LucideIcon
}

const KINDS: Readonly<Record<ChangeSet['kind'], Words>> = {
  changeSet: { label: 'Change set', unnamed: 'Changes', icon: Braces },
  import: { label: 'Import', unnamed: 'An import', icon: FileSpreadsheet },
  workflowRun: { label: 'Workflow run', unnamed: 'A deleted workflow', icon: Workflow },
  apiKey: { label: 'API key', unnamed: 'A deleted API key', icon: KeyRound },
  reassignment: { label: 'Reassignment', unnamed: 'Records of a former member', icon: UserRoundPen },
}

const ORIGINS: Readonly<Record<NonNullable<ChangeSet['origin']>, Words>> = {
  member: { label: 'Member', unnamed: 'Changes of many records', icon: UserRound },
  apiKey: { label: 'Program', unnamed: 'Changes of a program', icon: Braces },
  job: { label: 'Job', unnamed: 'A job of the API', icon: ListChecks },
  undoJob: { label: 'Undo', unnamed: 'An earlier undo', icon: Undo2 },
}

/** The label of the kind of an undo job. */
export const labelOf = (kind: ChangeSet['kind']): string => KINDS[kind].label

export const wordsOf = ({ kind, origin }: Pick<ChangeSet, 'kind' | 'origin'>): Words =>
  origin === null ? KINDS[kind] : ORIGINS[origin]

const VERBS = { created: 'Created', updated: 'Edited', deleted: 'Deleted' } as const

/** The only change of a member: "Edited activity “Call”". */
function changeOf({ origin, changed }: Pick<ChangeSet, 'origin' | 'changed'>): string | undefined {
  if (origin !== 'member' || !changed) return undefined
  // The service cuts long comments, maybe within a mention.
  const whole = changed.text?.replace(/<@[\da-f-]*$/i, '')
  const text = whole && beginningOf(withNames(whole, () => 'member'))
  return [VERBS[changed.change], changed.type, text].filter(Boolean).join(' ')
}

export const nameOf = (set: Pick<ChangeSet, 'kind' | 'origin' | 'name' | 'changed'>): string =>
  set.name ?? changeOf(set) ?? wordsOf(set).unnamed

/** "by Ada Lovelace", or "by the API key Sync"; undefined if the name says it, or it is not known. */
export function authorOf({ kind, origin, actor, apiKey }: ChangeSet): string | undefined {
  if (kind === 'workflowRun') return undefined
  if (origin === 'apiKey' && apiKey) return `by the API key ${apiKey.name ?? '(deleted)'}`
  const name = actor?.name || actor?.email
  return name && `by ${name}`
}
