import { CopyCheck, Plus, Trash2 } from 'lucide-react'
import type { Navigation } from '../../shared/navigation.ts'
import { recordPaths } from '../../shared/paths.ts'

export const recordNavigation: Navigation = {
  objectCommands: [
    {
      title: ({ singularName }) => `Create ${singularName.toLowerCase()}`,
      icon: Plus,
      alsoKnownAs: 'new add',
      to: recordPaths.object,
      search: { create: 1 },
    },
    {
      title: ({ pluralName }) => `Duplicates of ${pluralName.toLowerCase()}`,
      icon: CopyCheck,
      alsoKnownAs: 'merge twice same double',
      to: recordPaths.duplicates,
    },
    {
      title: ({ pluralName }) => `Trash of ${pluralName.toLowerCase()}`,
      icon: Trash2,
      alsoKnownAs: 'deleted restore undelete bin',
      to: recordPaths.trash,
    },
  ],
}
