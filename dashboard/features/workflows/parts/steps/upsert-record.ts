import { FileCheck2 } from 'lucide-react'
import { slugWords } from '../../node-names.ts'
import { type StepView, singular } from './step-view.ts'

export const upsertRecord: StepView = {
  icon: FileCheck2,
  title: 'Create or update record',
  summary: (config, nameOf) =>
    `Create the ${singular(config, nameOf)}, or update the one with the same ${slugWords(String(config.matchOn ?? '…'))}`,
}
