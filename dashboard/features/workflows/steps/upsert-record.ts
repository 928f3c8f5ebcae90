import { FileCheck2 } from 'lucide-react'
import { oneOf, slugWords } from '../node-names.ts'
import { isMissing, type StepView, singular } from './step-view.ts'

export const upsertRecord: StepView = {
  icon: FileCheck2,
  title: 'Create or update record',
  summary: (config, nameOf) => {
    const noun = singular(config, nameOf)
    if (isMissing(config.matchOn)) return `Create or update ${oneOf(noun)}`
    return `Create the ${noun}, or update the one with the same ${slugWords(String(config.matchOn))}`
  },
}
