"""Networks as their papers give them, and the convolutions of ResNet-18 one by one. A topology is a function
from a name to a net and its outputs; NETWORKS and CONVOLUTIONS list them."""
from quantized_net import QuantizedNet


def classifier(net, x, classes=1000):
    return [net.dense(net.flatten(net.global_average(x, name="mean")), classes, name="classifier")]


def resnet_stem(name):
    net = QuantizedNet(name, (1, 3, 224, 224))
    x = net.conv(net.image, 64, 7, stride=2, name="conv1")
    return net, net.max_pool(x, 3, 2, pad=1, name="maxpool")


def resnet18(name):
    """He et al. 2015, table 1."""
    net, x = resnet_stem(name)
    for stage, channels in enumerate((64, 128, 256, 512), 1):
        for block in range(2):
            stride, path = 2 if stage > 1 and block == 0 else 1, f"layer{stage}.{block}"
            y = net.conv(x, channels, 3, stride, name=path + ".conv1")
            y = net.conv(y, channels, 3, activation=None, name=path + ".conv2")
            if stride == 2:
                x = net.conv(x, channels, 1, 2, activation=None, name=path + ".downsample")
            x = net.add(y, x, name=path + ".add")
    return net, classifier(net, x)


def resnet50(name):
    """He et al. 2015, with the stride in the 3x3 convolution (v1.5)."""
    net, x = resnet_stem(name)
    for stage, (width, blocks) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3)), 1):
        for block in range(blocks):
            stride, path = 2 if stage > 1 and block == 0 else 1, f"layer{stage}.{block}"
            y = net.conv(x, width, 1, name=path + ".conv1")
            y = net.conv(y, width, 3, stride, name=path + ".conv2")
            y = net.conv(y, 4 * width, 1, activation=None, name=path + ".conv3")
            if block == 0:
                x = net.conv(x, 4 * width, 1, stride, activation=None, name=path + ".downsample")
            x = net.add(y, x, name=path + ".add")
    return net, classifier(net, x)


def mobilenet_v1(name):
    """Howard et al. 2017, table 1."""
    net = QuantizedNet(name, (1, 3, 224, 224))
    x = net.conv(net.image, 32, 3, 2, name="conv1")
    plan = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)] + [(512, 1)] * 5 + [(1024, 2), (1024, 1)]
    for i, (channels, stride) in enumerate(plan):
        x = net.conv(x, x.channels, 3, stride, groups=x.channels, name=f"block{i}.depthwise")
        x = net.conv(x, channels, 1, name=f"block{i}.pointwise")
    return net, classifier(net, x)


def mobilenet_v2(name):
    """Sandler et al. 2018, table 2."""
    net = QuantizedNet(name, (1, 3, 224, 224))
    x, block = net.conv(net.image, 32, 3, 2, activation="relu6", name="conv1"), 0
    for expansion, channels, repeats, first in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2),
                                                (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)):
        for repeat in range(repeats):
            stride, path, y = first if repeat == 0 else 1, f"block{block}", x
            if expansion > 1:
                y = net.conv(y, expansion * x.channels, 1, activation="relu6", name=path + ".expand")
            y = net.conv(y, y.channels, 3, stride, groups=y.channels, activation="relu6", name=path + ".depthwise")
            y = net.conv(y, channels, 1, activation=None, name=path + ".project")
            residual = stride == 1 and x.channels == channels
            x, block = net.add(y, x, activation=None, name=path + ".add") if residual else y, block + 1
    x = net.conv(x, 1280, 1, activation="relu6", name="conv2")
    return net, classifier(net, x)


def squeezenet(name):
    """Iandola et al. 2016, version 1.1."""
    net = QuantizedNet(name, (1, 3, 224, 224))
    x = net.conv(net.image, 64, 3, 2, pad=(0, 0), name="conv1")
    for fire, (squeeze, expand, pool) in enumerate(((16, 64, 1), (16, 64, 0), (32, 128, 1), (32, 128, 0),
                                                    (48, 192, 1), (48, 192, 0), (64, 256, 0), (64, 256, 0)), 2):
        x = net.max_pool(x, 3, 2, ceil=True, name=f"pool{fire}") if pool else x
        s = net.conv(x, squeeze, 1, name=f"fire{fire}.squeeze")
        x = net.concat([net.conv(s, expand, 1, name=f"fire{fire}.expand1"),
                        net.conv(s, expand, 3, name=f"fire{fire}.expand3")], name=f"fire{fire}.concat")
    x = net.conv(x, 1000, 1, name="conv10")
    return net, [net.flatten(net.global_average(x, name="mean"), name="scores")]


def densenet121(name):
    """Huang et al. 2017, table 1: batch normalization and ReLU stand before each convolution."""
    net, x = resnet_stem(name)
    for block, layers in enumerate((6, 12, 24, 16), 1):
        for layer in range(layers):
            path = f"block{block}.{layer}"
            y = net.batch_norm(x, name=path + ".norm")
            y = net.conv(net.conv(y, 128, 1, name=path + ".conv1"), 32, 3, activation=None, name=path + ".conv2")
            x = net.concat([x, y], name=path + ".concat")
        x = net.batch_norm(x, name=f"transition{block}.norm")
        if block < 4:
            x = net.conv(x, x.channels // 2, 1, activation=None, name=f"transition{block}.conv")
            x = net.average_pool(x, 2, 2, name=f"transition{block}.pool")
    return net, classifier(net, x)


def googlenet(name):
    """Szegedy et al. 2014, table 1 (Inception v1), without its local response normalization."""
    net, x = resnet_stem(name)
    x = net.conv(net.conv(x, 64, 1, name="conv2.reduce"), 192, 3, name="conv2")
    x = net.max_pool(x, 3, 2, pad=1, name="pool2")
    modules = {"3a": (64, 96, 128, 16, 32, 32), "3b": (128, 128, 192, 32, 96, 64),
               "4a": (192, 96, 208, 16, 48, 64), "4b": (160, 112, 224, 24, 64, 64),
               "4c": (128, 128, 256, 24, 64, 64), "4d": (112, 144, 288, 32, 64, 64),
               "4e": (256, 160, 320, 32, 128, 128), "5a": (256, 160, 320, 32, 128, 128),
               "5b": (384, 192, 384, 48, 128, 128)}
    for key, (one, reduce3, three, reduce5, five, pool) in modules.items():
        path = f"inception{key}"
        if key in ("4a", "5a"):
            x = net.max_pool(x, 3, 2, pad=1, name=f"pool{int(key[0]) - 1}")
        branches = [net.conv(x, one, 1, name=path + ".1x1"),
                    net.conv(net.conv(x, reduce3, 1, name=path + ".3x3reduce"), three, 3, name=path + ".3x3"),
                    net.conv(net.conv(x, reduce5, 1, name=path + ".5x5reduce"), five, 5, name=path + ".5x5"),
                    net.conv(net.max_pool(x, 3, 1, pad=1, name=path + ".pool"), pool, 1, name=path + ".project")]
        x = net.concat(branches, name=path + ".concat")
    return net, classifier(net, x)


def detector(name):
    """The form of YOLOv3-tiny (Redmon and Farhadi 2018): two scales, joined by a resize and a concat."""
    net = QuantizedNet(name, (1, 3, 256, 256))
    x, skip = net.image, None
    for i, channels in enumerate((16, 32, 64, 128, 256, 512)):
        x = skip = net.conv(x, channels, 3, activation="leaky", name=f"conv{i}")
        if channels == 256:
            middle = skip
        x = net.max_pool(x, 2, 2, name=f"pool{i}") if channels < 512 else x
    x = net.conv(net.conv(x, 1024, 3, activation="leaky", name="conv6"), 256, 1, activation="leaky", name="conv7")
    coarse = net.conv(net.conv(x, 512, 3, activation="leaky", name="conv8"), 255, 1, activation=None, name="coarse")
    up = net.resize(net.conv(x, 128, 1, activation="leaky", name="conv9"), name="resize")
    y = net.conv(net.concat([up, middle], name="concat"), 256, 3, activation="leaky", name="conv10")
    return net, [coarse, net.conv(y, 255, 1, activation=None, name="fine")]


def mlp(name):
    net = QuantizedNet(name, (1, 784))
    x = net.image
    for i, width in enumerate((1024, 1024, 512)):
        x = net.dense(x, width, activation="relu", name=f"hidden{i}")
    return net, [net.dense(x, 10, name="classifier")]


def convolution(size, channels, out, kernel, stride):
    def build(name):
        net = QuantizedNet(name, (1, channels, size, size))
        return net, [net.conv(net.image, out, kernel, stride, activation="relu", name=name)]
    return build


NETWORKS = {"resnet18": resnet18, "resnet50": resnet50, "mobilenet_v1": mobilenet_v1,
            "mobilenet_v2": mobilenet_v2, "squeezenet": squeezenet, "densenet121": densenet121,
            "googlenet": googlenet, "detector": detector, "mlp": mlp}

# The table of VTA (apache/tvm-vta): input size, channels in and out, kernel, stride.
CONVOLUTIONS = {f"C{i}": convolution(*layer) for i, layer in enumerate(
    ((224, 3, 64, 7, 2), (56, 64, 64, 3, 1), (56, 64, 64, 1, 1), (56, 64, 128, 3, 2), (56, 64, 128, 1, 2),
     (28, 128, 128, 3, 1), (28, 128, 256, 3, 2), (28, 128, 256, 1, 2), (14, 256, 256, 3, 1),
     (14, 256, 512, 3, 2), (14, 256, 512, 1, 2), (7, 512, 512, 3, 1)), 1)}
