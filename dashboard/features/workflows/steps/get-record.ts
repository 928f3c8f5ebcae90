import { FileSearch } from 'lucide-react'
import { type StepView, theRecord } from './step-view.ts'

export const getRecord: StepView = {
  icon: FileSearch,
  title: 'Get record',
  summary: (config, nameOf) => `Get ${theRecord(config, nameOf)}`,
}
