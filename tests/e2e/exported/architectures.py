"""Networks as PyTorch's users have them, with seeded weights: ARCHITECTURES maps a name to a module and the shape
of its input. What starts constant (heads of zeros, gains of one, layer scales of a millionth) is drawn too, and
batch normalization has seen data: otherwise quantization has nothing to do."""
import functools

import torch
import torchvision
from torch import nn

from yolo import YoloN

IMAGE = (3, 224, 224)


def of_torchvision(name, **options):
    return lambda: getattr(torchvision.models, name)(weights=None, **options)


def of_timm(name):
    import timm
    return timm.create_model(name, pretrained=False)


class First(nn.Module):
    """A layer of transformers, which gives a tuple or a tensor, as the tensor."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, hidden):
        result = self.layer(hidden)
        return result[0] if isinstance(result, tuple) else result


def bert_layer():
    from transformers import BertConfig
    from transformers.models.bert.modeling_bert import BertLayer
    return First(BertLayer(BertConfig(attn_implementation="eager")))


def transformer_encoder():
    return nn.TransformerEncoder(nn.TransformerEncoderLayer(256, 8, 1024, batch_first=True), 2)


class Convolutions1d(nn.Module):
    """A keyword spotter's: what is one-dimensional."""

    def __init__(self):
        super().__init__()
        widths = [40, 64, 64, 128]
        self.layers = nn.Sequential(*[
            nn.Sequential(nn.Conv1d(a, b, 9, stride=2, padding=4), nn.BatchNorm1d(b), nn.ReLU())
            for a, b in zip(widths, widths[1:])])
        self.head = nn.Linear(128, 12)

    def forward(self, x):
        return self.head(self.layers(x).mean(dim=2))


ARCHITECTURES = {
    "resnet18": (of_torchvision("resnet18"), IMAGE),
    "resnet50": (of_torchvision("resnet50"), IMAGE),
    "mobilenet_v2": (of_torchvision("mobilenet_v2"), IMAGE),
    "mobilenet_v3_large": (of_torchvision("mobilenet_v3_large"), IMAGE),
    "efficientnet_b0": (of_torchvision("efficientnet_b0"), IMAGE),
    "shufflenet_v2_x1_0": (of_torchvision("shufflenet_v2_x1_0"), IMAGE),
    "squeezenet1_1": (of_torchvision("squeezenet1_1"), IMAGE),
    "densenet121": (of_torchvision("densenet121"), IMAGE),
    "googlenet": (of_torchvision("googlenet", aux_logits=False, init_weights=False), IMAGE),
    "regnet_x_400mf": (of_torchvision("regnet_x_400mf"), IMAGE),
    "regnet_y_400mf": (of_torchvision("regnet_y_400mf"), IMAGE),
    "mnasnet1_0": (of_torchvision("mnasnet1_0"), IMAGE),
    "vgg11": (of_torchvision("vgg11"), IMAGE),
    "convnext_tiny": (of_torchvision("convnext_tiny"), IMAGE),
    "swin_t": (of_torchvision("swin_t"), IMAGE),
    "vit_b_16": (of_torchvision("vit_b_16"), IMAGE),
    "vit_tiny": (functools.partial(of_timm, "vit_tiny_patch16_224"), IMAGE),
    "mobilevit_xxs": (functools.partial(of_timm, "mobilevit_xxs"), (3, 256, 256)),
    "yolo_n": (YoloN, (3, 320, 320)),
    "conv1d": (Convolutions1d, (40, 200)),
    "bert_layer": (bert_layer, (128, 768)),
    "transformer_encoder": (transformer_encoder, (64, 256)),
}


def samples(shape, count, seed):
    """Images: noise of three sizes, normalized; rows of tokens: noise."""
    draw = torch.Generator().manual_seed(seed)
    if len(shape) < 3:
        return torch.randn((count, *shape), generator=draw)
    layers = [nn.functional.interpolate(torch.randn((count, shape[0], size, size), generator=draw), shape[1:],
                                        mode="bilinear") for size in (4, 16, 64)]
    return sum(layers) / 1.2


def draw_constants(module):
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.numel() == 1 or parameter.std() > 1e-8:
                continue
            if parameter.dim() >= 2 and min(parameter.shape[:2]) > 1:
                parameter.normal_(0, 0.02)
            elif parameter.flatten()[0] == 0:
                parameter.normal_(0, 0.05)
            else:
                parameter.copy_(1 + 0.1 * torch.randn_like(parameter))


def see_data(module, shape):
    norms = [m for m in module.modules() if isinstance(m, nn.modules.batchnorm._BatchNorm)]
    if not norms:
        return
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None
    module.train()
    with torch.no_grad():
        for seed in (1, 2):
            module(samples(shape, 4, seed))


def make(name):
    """The module in evaluation mode, and its input's shape without the batch."""
    build, shape = ARCHITECTURES[name]
    torch.manual_seed(7)
    module = build()
    draw_constants(module)
    see_data(module, shape)
    return module.eval(), shape
