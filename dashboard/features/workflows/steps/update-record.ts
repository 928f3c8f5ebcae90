import { FilePen } from 'lucide-react'
import { namedKeys, type StepView, theRecord } from './step-view.ts'

export const updateRecord: StepView = {
  icon: FilePen,
  title: 'Update record',
  summary: (config, nameOf) => {
    const keys = namedKeys(config.data)
    return keys ? `Set ${keys} of ${theRecord(config, nameOf)}` : 'Nothing to change yet'
  },
}
