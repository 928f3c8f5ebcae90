import { FileX2 } from 'lucide-react'
import { type StepView, theRecord } from './step-view.ts'

export const deleteRecord: StepView = {
  icon: FileX2,
  title: 'Delete record',
  summary: (config, nameOf) => `Delete ${theRecord(config, nameOf)}`,
}
