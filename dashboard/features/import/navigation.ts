import { FileUp } from 'lucide-react'
import type { Navigation } from '../../shared/navigation.ts'
import { importPaths } from './paths.ts'

export const importNavigation: Navigation = {
  objectCommands: [
    {
      title: ({ pluralName }) => `Import ${pluralName.toLowerCase()}`,
      icon: FileUp,
      alsoKnownAs: 'csv upload',
      to: importPaths.import,
    },
  ],
}
