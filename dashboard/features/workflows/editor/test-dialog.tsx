// Tests the whole workflow with a chosen record and parameters.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isRecordTrigger } from '../../../../contract/workflow-states.ts'
import { fieldErrors } from '../../../shared/api/errors.ts'
import { objectsQuery } from '../../../shared/api/objects.ts'
import { Form, FormEnd } from '../../../shared/form/form.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { ReferencePicker } from '../../../shared/values/reference-picker.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { sampleQuery } from '../api/workflows.ts'
import { ParameterFields } from '../run/parameter-fields.tsx'
import { parameterFields, useParameterForm } from '../run/use-parameter-form.ts'
import { useEditor } from './editor-context.ts'

/** The object whose records can be used for the test; undefined: the workflow has no record. */
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
  /** undefined: the workflow was never saved. */
  workflowId: string | undefined
  onClose(): void
}

function useTestForm({ workflowId, onClose }: TestDialogProps) {
  const { definition, testing } = useEditor()
  const parameters = definition.parameters ?? []
  const [recordId, setRecordId] = useState(testing.subject.recordId)
  const form = useParameterForm({
    place: workflowId && `test ${workflowId}`,
    parameters,
    async start(data, { close }) {
      const subject = { recordId, data: parameters.length > 0 ? data : undefined }
      testing.setSubject(subject)
      if (await testing.run(undefined, subject)) close()
    },
    onClose,
  })
  const errors = { ...fieldErrors(testing.error, 'data.'), ...form.errors }
  // The test continues when the dialog is closed, so its state is outside of the form.
  const { isBusy, error } = testing
  return { parameters, recordId, setRecordId, form: { ...form, errors, error, isBusy } }
}

export function TestDialog(props: TestDialogProps) {
  const object = useTestObject()
  const { parameters, recordId, setRecordId, form } = useTestForm(props)
  return (
    <Dialog onClose={props.onClose} title="Test workflow">
      <Form form={form}>
        <div>Every step is tested on real data. Nothing is saved or sent, and waits are skipped.</div>
        {object && (
          <ReferencePicker
            objectId={object.id}
            label={object.singularName}
            autoFocus
            value={recordId}
            onChange={setRecordId}
          />
        )}
        {recordId === null && <Sample />}
        <ParameterFields {...parameterFields(parameters, form)} hasFocus={!object} />
        <FormEnd form={form} verb="Run test" shown={parameters.map(({ name }) => `data.${name}`)} />
      </Form>
    </Dialog>
  )
}
