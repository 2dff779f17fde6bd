/** The classes of a native field that looks like antd's own; its height is in styles/globals.css. */
export const nativeControl = 'native-control ant-input ant-input-outlined wardlight ant-input-css-var';
