// The panels for creating and editing an endpoint.

import { NumberInput, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ENDPOINT_RATE_MAX } from '../../../../contract/webhook-states.ts'
import { Form, FormEnd } from '../../../shared/form/form.tsx'
import { SidePanel } from '../../../ui/side-panel.tsx'
import type { Endpoint } from '../api/webhooks.ts'
import { useSpace } from '../space.tsx'
import { EventTypeField } from './event-type-field.tsx'
import { FilterFields } from './filter-fields.tsx'
import { HeaderRows } from './header-rows.tsx'
import { isPlainHttp } from './url-problem.ts'
import { type EndpointForm, useEndpointForm } from './use-endpoint-form.ts'

function UrlField({ form }: { form: EndpointForm }) {
  const { url } = form.values
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
      {...form.field('url')}
      onBlur={form.checkUrl}
      withAsterisk
      aria-required
      data-autofocus
      autoComplete="off"
      spellCheck={false}
    />
  )
}

function DescriptionField({ form }: { form: EndpointForm }) {
  return (
    <Textarea
      label="Description"
      placeholder="What the receiver does with it"
      {...form.field('description')}
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
      {...form.field('rateLimit', (rate: number | string) => (typeof rate === 'number' ? rate : null))}
      value={form.values.rateLimit ?? ''}
    />
  )
}

/** @param verb label of the submit button */
function Fields({ form, verb }: { form: EndpointForm; verb: string }) {
  return (
    <Form form={form} noValidate>
      <UrlField form={form} />
      <DescriptionField form={form} />
      <EventTypeField {...form.field('eventTypes')} />
      <FilterFields form={form} />
      <HeaderRows form={form} />
      <RateField form={form} />
      <FormEnd form={form} verb={verb} shown={Object.keys(form.errors)} />
    </Form>
  )
}

/** Then opens the page of the endpoint, which shows the secret for verification. */
export function NewEndpointPanel({ onClose }: { onClose(): void }) {
  const space = useSpace()
  const navigate = useNavigate()
  const form = useEndpointForm({
    onSaved: ({ id }) => navigate({ to: space.paths.endpoint(id) }),
    onClose,
  })
  return (
    <SidePanel title="Add endpoint" onClose={onClose}>
      <Fields form={form} verb="Add endpoint" />
    </SidePanel>
  )
}

export function EditEndpointPanel({ endpoint, onClose }: { endpoint: Endpoint; onClose(): void }) {
  const form = useEndpointForm({ endpoint, onSaved: onClose, onClose })
  return (
    <SidePanel title="Edit endpoint" onClose={onClose}>
      <Fields form={form} verb="Save changes" />
    </SidePanel>
  )
}
