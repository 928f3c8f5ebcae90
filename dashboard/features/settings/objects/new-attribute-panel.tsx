// Creates an attribute: the type is chosen first, then the rest.

import { Box, Button, UnstyledButton } from '@mantine/core'
import { ATTRIBUTE_TYPES, type AttributeType } from '../../../../contract/attribute-types.ts'
import { Form, FormEnd } from '../../../shared/form/form.tsx'
import type { DataForm } from '../../../shared/form/use-data-form.ts'
import { TYPES } from '../../../types/types.ts'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { AttributeFields } from './attribute-fields.tsx'
import { defaultPaths } from './default-field.tsx'
import {
  ATTRIBUTE_FIELDS,
  isComplete,
  type NewAttributeFields,
  useNewAttribute,
} from './use-new-attribute.ts'

function KindText({ type }: { type: AttributeType }) {
  return (
    <span className="fill">
      <span className="block small medium">{TYPES[type].label}</span>
      <span className="block muted tiny">{TYPES[type].explanation}</span>
    </span>
  )
}

function KindPicker({ onPick }: { onPick(type: AttributeType): void }) {
  return (
    <Box component="ul" className="stack gap-2" py={4} aria-label="Type of the attribute">
      {ATTRIBUTE_TYPES.map((type, index) => {
        const Icon = TYPES[type].icon
        return (
          <li key={type}>
            <UnstyledButton
              className="row gap-12 wide rounded hoverable"
              p={8}
              onClick={() => onPick(type)}
              data-autofocus={index === 0 || undefined}
            >
              <Icon className="muted" size={16} aria-hidden />
              <KindText type={type} />
            </UnstyledButton>
          </li>
        )
      })}
    </Box>
  )
}

function ChosenKind({ type, onChange }: { type: AttributeType; onChange(): void }) {
  const Icon = TYPES[type].icon
  return (
    <div className="row gap-12 box">
      <Icon className="muted" size={16} aria-hidden />
      <KindText type={type} />
      <Button variant="default" onClick={onChange}>
        Change type
      </Button>
    </div>
  )
}

function Fields({ form, type }: { form: DataForm<NewAttributeFields>; type: AttributeType }) {
  return (
    <>
      <ChosenKind type={type} onChange={() => form.change({ type: null, defaultValue: null })} />
      <AttributeFields form={form} type={type} />
      <FormEnd
        form={form}
        verb="Create attribute"
        isReady={isComplete(form.values)}
        shown={[...ATTRIBUTE_FIELDS, ...defaultPaths(form.errors)]}
      />
    </>
  )
}

export function NewAttributePanel({ object, onClose }: { object: string; onClose(): void }) {
  const form = useNewAttribute(object, onClose)
  const { type } = form.values
  return (
    <SidePanel title={type ? 'New attribute' : 'New attribute: what does it hold?'} onClose={onClose}>
      <Form form={form}>
        {type ? (
          <Fields form={form} type={type} />
        ) : (
          <KindPicker onPick={(picked) => form.change({ type: picked })} />
        )}
      </Form>
    </SidePanel>
  )
}
