import { Braces, FileSpreadsheet, KeyRound, type LucideIcon, UserRoundPen, Workflow } from 'lucide-react'
import type { ChangeSet } from '../api/undo-jobs.ts'

/** The label of each kind of change set, and the text shown for one without a name. */
export const SET_KINDS: Readonly<
  Record<ChangeSet['kind'], { label: string; unnamed: string; icon: LucideIcon }>
> = {
  changeSet: { label: 'Program', unnamed: 'Changes of a program', icon: Braces },
  import: { label: 'Import', unnamed: 'An import', icon: FileSpreadsheet },
  workflowRun: { label: 'Workflow run', unnamed: 'A deleted workflow', icon: Workflow },
  apiKey: { label: 'API key', unnamed: 'A deleted API key', icon: KeyRound },
  reassignment: { label: 'Reassignment', unnamed: 'Records of a former member', icon: UserRoundPen },
}

export const nameOf = ({ kind, name }: Pick<ChangeSet, 'kind' | 'name'>): string =>
  name ?? SET_KINDS[kind].unnamed
