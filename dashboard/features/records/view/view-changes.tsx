// Actions for a changed view: save, save as a new view, or discard.
import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { NameDialog } from '../../../shared/name-dialog.tsx'
import { toastError } from '../../../shared/toast.ts'
import type { ShownView } from './use-view.ts'
import { useViewChanges } from './use-view-changes.ts'

export function ViewChangesBar({ object, view }: { object: ObjectWithAttributes; view: ShownView }) {
  const [isNaming, setNaming] = useState(false)
  const changes = useViewChanges(object, view)
  const { saved } = view
  if (!view.isChanged) return null
  return (
    <div className="row fixed gap-4 end">
      {saved && (
        <Badge variant="default" size="sm">
          Unsaved changes
        </Badge>
      )}
      {saved && changes.mayChange(saved) && (
        <Button variant="default" onClick={() => void changes.save(saved).catch(toastError)}>
          Save
        </Button>
      )}
      <Button variant="subtle" color="gray" onClick={() => setNaming(true)}>
        {saved ? 'Save as new' : 'Save view'}
      </Button>
      <Button variant="subtle" color="gray" onClick={() => view.open(saved)}>
        Discard
      </Button>
      {isNaming && (
        <NameDialog
          title="Save as a new view"
          name=""
          confirm="Save view"
          withShare
          onConfirm={changes.saveAsNew}
          onClose={() => setNaming(false)}
        />
      )}
    </div>
  )
}
