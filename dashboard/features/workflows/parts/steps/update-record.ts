import { FilePen } from 'lucide-react'
import { namedKeys, type StepView, theRecord } from './step-view.ts'

export const updateRecord: StepView = {
  icon: FilePen,
  title: 'Update record',
  summary: (config, nameOf) => `Set ${namedKeys(config.data) || 'nothing'} of ${theRecord(config, nameOf)}`,
}
