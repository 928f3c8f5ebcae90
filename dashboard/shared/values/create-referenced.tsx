// Creates the target record of a reference from its picker with a small form for the required attributes, which names
// records that are probably the same.

import type { SyntheticEvent } from 'react'
import { namingAttribute } from '../../../contract/record-name.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FirstText } from '../../ui/use-open-text.tsx'
import { fieldErrors } from '../api/errors.ts'
import type { RecordData } from '../api/records.ts'
import { Form, FormEnd } from '../form/form.tsx'
import { useDataForm } from '../form/use-data-form.ts'
import { RecordFields } from './record-fields.tsx'
import { SimilarRecords, useCompared } from './similar-records.tsx'
import {
  askedOf,
  CREATING_FORM,
  CreatesReferenced,
  type CreatingProps,
  startOf,
  useCreate,
} from './use-create-choice.tsx'

/** Stops events of the form: in React, they would bubble to the editor around the picker. */
const OWN_EVENTS = Object.fromEntries(
  ['onBlur', 'onFocus', 'onClick', 'onMouseDown', 'onSubmit', 'onKeyDown'].map((name) => [
    name,
    // Escape must reach the dialog.
    (event: SyntheticEvent & { key?: string }) => event.key !== 'Escape' && event.stopPropagation(),
  ]),
)

function CreatingForm({ object, text, onCreated, onClose }: CreatingProps) {
  const create = useCreate()
  const naming = namingAttribute(object.attributes)
  const form = useDataForm<RecordData>({
    initial: naming ? { [naming.slug]: startOf(naming, text) } : {},
    problemsOf: (error) => fieldErrors(error, 'data.'),
    save: async (data) => onCreated(await create(object, data)),
    onClose,
  })
  const { compared, leave } = useCompared(form.values, form.fieldsKey)
  return (
    <Form form={form} noValidate onBlur={leave}>
      <RecordFields form={form} attributes={askedOf(object)} />
      <SimilarRecords object={object} data={compared} onChoose={onCreated} />
      <FormEnd
        form={form}
        verb={`Create ${object.singularName.toLowerCase()}`}
        shown={Object.keys(form.errors).map((path) => `data.${path}`)}
      />
    </Form>
  )
}

export function CreateReferenced(props: CreatingProps) {
  return (
    <div {...OWN_EVENTS}>
      <CreatesReferenced value={null}>
        <Dialog
          title={`Create ${props.object.singularName.toLowerCase()}`}
          onClose={props.onClose}
          attributes={{ content: { [CREATING_FORM]: true } }}
        >
          <FirstText value={undefined}>
            <CreatingForm {...props} />
          </FirstText>
        </Dialog>
      </CreatesReferenced>
    </div>
  )
}
