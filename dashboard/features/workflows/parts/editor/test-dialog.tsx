// Trying the whole workflow: on which record, with which parameters.
import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isRecordTrigger } from '../../../../../contract/workflow-states.ts'
import { fieldErrors } from '../../../../shared/api/errors.ts'
import { objectsQuery } from '../../../../shared/api/objects.ts'
import { DraftForm } from '../../../../shared/drafts/draft-form.tsx'
import { FormError } from '../../../../shared/form-error.tsx'
import { useOrg } from '../../../../shared/use-organization.ts'
import { ReferencePicker } from '../../../../shared/values/reference-picker.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { useReturnFocus } from '../../../../ui/use-return-focus.ts'
import { sampleQuery } from '../../api/workflows.ts'
import { ParameterFields } from '../run/parameter-fields.tsx'
import { useDrafts } from '../run/use-start.ts'
import { useEditor } from './editor-context.ts'

/** The object whose records it can be tried on; undefined: it is not about records. */
function useTestObject() {
  const { trigger, triggerConfig } = useEditor().definition
  const { data: objects = [] } = useQuery(objectsQuery(useOrg()))
  const ref = triggerConfig?.objectId
  const isAbout = trigger === 'manual' || isRecordTrigger(trigger)
  return isAbout && ref ? objects.find(({ id, slug }) => id === ref || slug === ref) : undefined
}

function Sample() {
  const { trigger, triggerConfig } = useEditor().definition
  const { data } = useQuery(sampleQuery(useOrg(), trigger, triggerConfig?.objectId || undefined))
  if (!data) return null
  if (data.isReal) return <p className="muted tiny">Without one, the test uses “{data.title}”, the newest.</p>
  return <p className="muted tiny">There is no record to test with yet, so sample values are used.</p>
}

interface TestDialogProps {
  /** undefined: it was never saved. */
  workflowId: string | undefined
  onClose(): void
}

function useTestForm({ workflowId, onClose }: TestDialogProps) {
  const { definition, testing } = useEditor()
  const parameters = definition.parameters ?? []
  const [recordId, setRecordId] = useState(testing.subject.recordId)
  const { draft, drafts, change, errors, read } = useDrafts(workflowId && `test ${workflowId}`, parameters)
  const close = () => {
    draft.forget()
    onClose()
  }
  const run = async () => {
    const data = parameters.length > 0 ? read() : undefined
    if (parameters.length > 0 && !data) return
    const subject = { recordId, data }
    testing.setSubject(subject)
    if (await testing.run(undefined, subject)) close()
  }
  return { draft, parameters, recordId, setRecordId, drafts, change, errors, run, close }
}

export function TestDialog(props: TestDialogProps) {
  useReturnFocus()
  const { testing } = useEditor()
  const object = useTestObject()
  const form = useTestForm(props)
  const { parameters, recordId, drafts, errors } = form
  return (
    <Dialog onClose={props.onClose} title="Test workflow">
      <DraftForm draft={form.draft} onSubmit={form.run}>
        <Stack gap="md">
          <div>Every step is tested on real data. Nothing is saved or sent, and waits are skipped.</div>
          {object && (
            <ReferencePicker
              objectId={object.id}
              label={object.singularName}
              autoFocus
              value={recordId}
              onChange={form.setRecordId}
            />
          )}
          {recordId === null && <Sample />}
          {parameters.length > 0 && (
            <Stack gap="md" data-asks={props.workflowId === undefined ? 'yes' : 'no'}>
              <ParameterFields
                parameters={parameters}
                drafts={drafts}
                errors={{ ...fieldErrors(testing.error, 'data.'), ...errors }}
                onChange={form.change}
                hasFocus={!object}
              />
            </Stack>
          )}
          <FormError error={testing.error} fields={parameters.map(({ name }) => `data.${name}`)} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={form.close}>
              Cancel
            </Button>
            <Button type="submit" loading={testing.isBusy}>
              Run test
            </Button>
          </Group>
        </Stack>
      </DraftForm>
    </Dialog>
  )
}
