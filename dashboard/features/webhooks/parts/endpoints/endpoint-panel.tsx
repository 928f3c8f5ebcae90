// Making an endpoint, and changing one.
import { Button, Group, NumberInput, Stack, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ENDPOINT_RATE_MAX } from '../../../../../contract/webhook-states.ts'
import { DraftForm } from '../../../../shared/drafts/draft-form.tsx'
import { FormError } from '../../../../shared/form-error.tsx'
import { SidePanel } from '../../../../ui/side-panel.tsx'
import type { Endpoint } from '../../api/webhooks.ts'
import { useSpace } from '../../space.tsx'
import { EventTypeField } from './event-type-field.tsx'
import { FilterFields } from './filter-fields.tsx'
import { HeaderRows } from './header-rows.tsx'
import { isPlainHttp } from './url-problem.ts'
import { type EndpointForm, useEndpointForm } from './use-endpoint-form.ts'

function UrlField({ form }: { form: EndpointForm }) {
  const { url } = form.draft
  return (
    <TextInput
      label="URL"
      description={
        isPlainHttp(url)
          ? 'Without encryption: refused unless this installation allows it for development'
          : 'Where events are sent, as POST requests'
      }
      placeholder="https://example.com/webhooks"
      inputMode="url"
      value={url}
      onChange={({ currentTarget }) => form.change({ url: currentTarget.value })}
      onBlur={form.checkUrl}
      withAsterisk
      aria-required
      data-autofocus
      autoComplete="off"
      spellCheck={false}
      error={form.errors['url']}
    />
  )
}

function DescriptionField({ form }: { form: EndpointForm }) {
  return (
    <Textarea
      label="Description"
      placeholder="What the receiver does with it"
      value={form.draft.description}
      onChange={({ currentTarget }) => form.change({ description: currentTarget.value })}
      error={form.errors['description']}
    />
  )
}

function RateField({ form }: { form: EndpointForm }) {
  return (
    <NumberInput
      label="Rate limit"
      description="Maximum requests per second; more requests wait"
      placeholder="No limit"
      min={1}
      max={ENDPOINT_RATE_MAX}
      allowDecimal={false}
      allowNegative={false}
      value={form.draft.rateLimit ?? ''}
      onChange={(rate) => form.change({ rateLimit: typeof rate === 'number' ? rate : null })}
      error={form.errors['rateLimit']}
    />
  )
}

/** The first field that is wrong takes the focus, once what is wrong is drawn. */
function useSubmitting(form: EndpointForm) {
  const element = useRef<HTMLFormElement>(null)
  const [refusals, setRefusals] = useState(0)
  useEffect(() => {
    if (refusals > 0) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [refusals])
  const onSubmit = async () => {
    if (!(await form.submit())) setRefusals((before) => before + 1)
  }
  return { ref: element, onSubmit, noValidate: true }
}

interface FormProps {
  form: EndpointForm
  /** The verb of its button. */
  verb: string
  onClose(): void
}

function Fields({ form, verb, onClose }: FormProps) {
  const cancel = () => {
    form.kept.forget()
    onClose()
  }
  return (
    <DraftForm draft={form.kept} {...useSubmitting(form)}>
      <Stack gap="md">
        <UrlField form={form} />
        <DescriptionField form={form} />
        <EventTypeField
          value={form.draft.eventTypes}
          onChange={(eventTypes) => form.change({ eventTypes })}
          error={form.errors['eventTypes']}
        />
        <FilterFields form={form} />
        <HeaderRows form={form} />
        <RateField form={form} />
        <FormError error={form.error} fields={Object.keys(form.errors)} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" loading={form.isBusy}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </DraftForm>
  )
}

/** Its page comes next, with the secret that verifies what it gets. */
export function NewEndpointPanel({ onClose }: { onClose(): void }) {
  const space = useSpace()
  const navigate = useNavigate()
  const form = useEndpointForm(undefined, ({ id }) => navigate({ to: space.paths.endpoint(id) }))
  return (
    <SidePanel title="Add endpoint" onClose={onClose}>
      <Fields form={form} verb="Add endpoint" onClose={onClose} />
    </SidePanel>
  )
}

export function EditEndpointPanel({ endpoint, onClose }: { endpoint: Endpoint; onClose(): void }) {
  const form = useEndpointForm(endpoint, onClose)
  return (
    <SidePanel title="Edit endpoint" onClose={onClose}>
      <Fields form={form} verb="Save changes" onClose={onClose} />
    </SidePanel>
  )
}
