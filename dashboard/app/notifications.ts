// A separate module, so that it is loaded after the first render.
export { Notifications } from '@mantine/notifications'
