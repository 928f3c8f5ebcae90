// By itself: what is not drawn at first is loaded later.
export { Notifications } from '@mantine/notifications'
